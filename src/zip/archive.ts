import type { BucketScope } from "../backends/bucket_scope.ts";
import { upstreamProblem } from "../backends/upstream_error.ts";
import { notFound, type Problem } from "../problem.ts";
import { loadAhead } from "./ahead.ts";
import { EntryNames, errorsName } from "./entry_names.ts";
import { FailureList } from "./failures.ts";
import { maxSmallBytes, openLargeObject, readSmallObject, type SmallObject } from "./object_source.ts";
import { type ReadAheadMemory, ReadAheadShare } from "./read_ahead_memory.ts";
import { listSelection, type SelectedObject, type Selection, type UnlistedPart } from "./selection.ts";
import { ZipWriter } from "./writer.ts";

/** How many small objects are read ahead, and so how many MiB may wait in memory. */
const width = 16;

/** Most entries of one archive: about 300 MB of names and directory. */
const maxEntries = 1_000_000;

/** After so many objects in a row for which the backend could not be reached, it is not asked for more. */
const maxUnreachable = width;

/** What {@link zipSelection} works on. */
export interface ArchiveOptions {
  readonly scope: BucketScope;
  readonly selection: Selection;
  /** Ends all requests to the backend. */
  readonly signal: AbortSignal;
  /** What all archives read ahead into; without any left, objects are read when it is their turn. */
  readonly memory: ReadAheadMemory;
  /** The time that the list of failures bears. */
  readonly now: Date;
  /** What the list of failures keeps from its reader; nothing unless told. */
  readonly redaction?: Redaction;
}

/** What readers of an archive are not told: how their keys begin, and what exactly a backend has said. */
export interface Redaction {
  /** All keys of the selection begin with it. */
  readonly prefix: string;
  readonly redact: (problem: Problem) => Problem;
}

/** What became of a part of the selection before its turn came. */
type Loaded =
  | { readonly kind: "folder"; readonly key: string; readonly modifiedAt: Date }
  | { readonly kind: "small"; readonly key: string; readonly object: SmallObject }
  | { readonly kind: "large"; readonly key: string }
  | { readonly kind: "failed"; readonly key: string; readonly problem: Problem };

/**
 * The bytes of a zip file of all selected objects, made as they are asked for. What cannot be read is listed in the entry
 * {@link errorsName}. Throws before the first byte when there is nothing to send: 404 `not_found`, or why none could be read.
 */
export async function* zipSelection(options: ArchiveOptions): AsyncGenerator<Uint8Array, void> {
  const { scope, selection, signal, now } = options;
  const archive = new Archive(options);
  const memory = new ReadAheadShare(options.memory);
  try {
    for await (const loaded of loadAhead(listSelection(scope, selection, signal), width, load)) {
      signal.throwIfAborted();
      yield* archive.add(loaded);
      if (loaded.kind === "small") memory.give(loaded.object.content.length);
      if (archive.isOver) break;
    }
    yield* archive.finish(now);
  } finally {
    memory.close();
  }

  async function load(part: SelectedObject | UnlistedPart): Promise<Loaded> {
    if ("error" in part) return { kind: "failed", key: part.prefix, problem: upstreamProblem(part.error) };
    const { key, listed } = part;
    if (listed !== undefined && listed.size === 0 && key.endsWith("/")) {
      return { kind: "folder", key, modifiedAt: listed.modifiedAt };
    }
    if (listed !== undefined && listed.size > maxSmallBytes) return { kind: "large", key };
    try {
      const object = await readSmallObject(scope, key, memory, signal);
      if (object === undefined) return { kind: "large", key };
      const isFolder = object.content.length === 0 && key.endsWith("/");
      return isFolder
        ? { kind: "folder", key, modifiedAt: object.modifiedAt }
        : { kind: "small", key, object };
    } catch (error) {
      return { kind: "failed", key, problem: upstreamProblem(error) };
    }
  }
}

/** An archive that grows. */
class Archive {
  readonly #options: ArchiveOptions;
  readonly #writer = new ZipWriter();
  readonly #names: EntryNames;
  readonly #failures = new FailureList();
  #firstProblem: Problem | undefined;
  #unreachable = 0;
  #isOver = false;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#names = new EntryNames(options.selection.folder);
  }

  /** Whether nothing more can be added. */
  get isOver(): boolean {
    return this.#isOver;
  }

  async *add(loaded: Loaded): AsyncGenerator<Uint8Array, void> {
    if (this.#writer.entries >= maxEntries || this.#names.isFull) {
      this.#isOver = true;
      return this.#list(
        loaded.key,
        "too_many_keys",
        "The archive is full: this and all after it are missing.",
      );
    }
    if (loaded.kind === "failed") return this.#fail(loaded.key, loaded.problem);
    if (loaded.kind === "large") return yield* this.#addLarge(loaded.key);
    this.#unreachable = 0;
    if (loaded.kind === "small") {
      const { content, modifiedAt } = loaded.object;
      yield this.#writer.addFile({ name: this.#names.nameOf(loaded.key, "file"), modifiedAt }, content);
    } else {
      const name = this.#names.nameOf(loaded.key, "folder");
      if (name !== "") yield this.#writer.addFolder({ name, modifiedAt: loaded.modifiedAt });
    }
  }

  /** What comes at the end. */
  async *finish(now: Date): AsyncGenerator<Uint8Array, void> {
    if (this.#writer.entries === 0) {
      throw this.#firstProblem ?? notFound("There are no objects in this selection.");
    }
    if (!this.#failures.isEmpty) {
      yield this.#writer.addFile({ name: errorsName, modifiedAt: now }, this.#failures.toBytes());
    }
    yield* this.#writer.finish();
  }

  async *#addLarge(key: string): AsyncGenerator<Uint8Array, void> {
    const { scope, signal } = this.#options;
    let name: string | undefined;
    try {
      const { size, modifiedAt, content } = await openLargeObject(scope, key, signal);
      name = this.#names.nameOf(key, "file");
      yield* this.#writer.addStream({ name, modifiedAt }, content, size);
      this.#unreachable = 0;
    } catch (error) {
      this.#fail(key, upstreamProblem(error), name);
    }
  }

  /** Notes a failure; `damaged` is the name of an entry that was begun. */
  #fail(key: string, problem: Problem, damaged?: string): void {
    this.#options.signal.throwIfAborted();
    this.#firstProblem ??= problem;
    const remark = damaged === undefined ? "" : ` The entry ${JSON.stringify(damaged)} is damaged.`;
    const { code, message } = this.#options.redaction?.redact(problem) ?? problem;
    this.#list(key, code, message + remark);
    if (!isUnreachable(problem)) this.#unreachable = 0;
    else if (++this.#unreachable === maxUnreachable) {
      this.#isOver = true;
      this.#list(key, code, "Reading was given up: all after this are missing.");
    }
  }

  #list(key: string, code: string, message: string): void {
    const { prefix = "" } = this.#options.redaction ?? {};
    this.#failures.add(key.slice(prefix.length), code, message);
  }
}

/** Whether an error is that of the connection to a backend, or of a backend that does not answer. */
function isUnreachable({ status, detail }: Problem): boolean {
  return status === 504 || (status === 502 && detail?.reason !== undefined && detail.reason !== "not_s3");
}

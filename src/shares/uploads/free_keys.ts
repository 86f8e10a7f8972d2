import { randomInt } from "node:crypto";
import { keyBeside } from "../../../static/lib/upload/conflict.js";
import type { BucketScope } from "../../backends/bucket_scope.ts";
import { listObjects } from "../../objects/listing.ts";
import { requireAbsence } from "../../objects/stored_object.ts";
import { Problem } from "../../problem.ts";

/** Names that are tried in turn, `name`, `name (1)`, … before one is made that nobody has. */
const triedCopies = 9;

/** The key that is wanted for a file. */
export interface WantedKey {
  /** The prefix that files are sent to, which is known to be a folder or nothing. */
  readonly prefix: string;
  /** Folders below it, each with a slash at its end; empty for none. */
  readonly folder: string;
  readonly name: string;
}

/** A key that nobody else stores under until it is given back. */
export interface ClaimedKey {
  readonly key: string;
  giveBack(): void;
}

/**
 * Finds keys that are free for the files of strangers, who must neither replace anything nor be told what is there. Files
 * under way keep theirs from one another.
 *
 * Servers that keep objects as files store nothing below an object, and no object where there is a folder. What they refuse
 * would tell that it is there, so such names count as taken, everywhere.
 */
export class FreeKeys {
  readonly #claimed = new Set<string>();

  /** A free key, as close to the wanted one as can be. Throws what the backend refuses with. */
  async claim(
    scope: BucketScope,
    { prefix, folder, name }: WantedKey,
    signal: AbortSignal,
  ): Promise<ClaimedKey> {
    let wanted = prefix;
    for (const segment of folder.split("/").slice(0, -1)) {
      wanted = `${await this.#findFolder(scope, wanted + segment, signal)}/`;
    }
    wanted += name;
    for (const key of namesFor(wanted)) {
      const claimed = await this.#tryToClaim(scope, key, signal);
      if (claimed !== null) return claimed;
    }
    const key = inventedName(wanted);
    return this.#claim(nameOf(scope, key), key);
  }

  /** A folder, without the slash at its end, that no object is called like. */
  async #findFolder(scope: BucketScope, wanted: string, signal: AbortSignal): Promise<string> {
    for (const key of namesFor(wanted)) {
      if (!this.#claimed.has(nameOf(scope, key)) && await isAbsent(scope, key, signal)) return key;
    }
    return inventedName(wanted);
  }

  async #tryToClaim(scope: BucketScope, key: string, signal: AbortSignal): Promise<ClaimedKey | null> {
    const name = nameOf(scope, key);
    if (this.#claimed.has(name)) return null;
    const claimed = this.#claim(name, key);
    try {
      const checks = [isAbsent(scope, key, signal), isNoFolder(scope, key, signal)];
      if ((await Promise.all(checks)).every(Boolean)) return claimed;
      claimed.giveBack();
      return null;
    } catch (error) {
      claimed.giveBack();
      throw error;
    }
  }

  #claim(name: string, key: string): ClaimedKey {
    this.#claimed.add(name);
    return { key, giveBack: () => this.#claimed.delete(name) };
  }
}

function* namesFor(wanted: string): Generator<string> {
  yield wanted;
  for (let copy = 1; copy <= triedCopies; copy++) yield keyBeside(wanted, copy);
}

function inventedName(wanted: string): string {
  return keyBeside(wanted, randomInt(1e9, 1e12));
}

async function isAbsent(scope: BucketScope, key: string, signal: AbortSignal): Promise<boolean> {
  try {
    await requireAbsence({ ...scope, key, ifAbsent: true }, signal);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === "object_exists") return false;
    throw error;
  }
}

async function isNoFolder(scope: BucketScope, key: string, signal: AbortSignal): Promise<boolean> {
  const below = await listObjects(scope, { prefix: `${key}/`, delimiter: "", maxKeys: 1 }, signal);
  return below.objects.length === 0;
}

function nameOf({ connection, bucket }: BucketScope, key: string): string {
  return JSON.stringify([connection.backend.id, bucket, key]);
}

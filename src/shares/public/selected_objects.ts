import type { BucketScope } from "../../backends/bucket_scope.ts";
import { Problem } from "../../problem.ts";
import { Turns } from "../../turns.ts";

/** What a recipient is shown of an object of a selection. */
export interface SelectedObject {
  /** In bytes. */
  readonly size: number;
  /** RFC 3339. */
  readonly modified: string;
}

/** How long what the storage has said is believed, in milliseconds. */
const believedFor = 30_000;

/** Objects remembered at once: beyond this the oldest are dropped. */
const maxKnown = 5000;

/** Requests to one backend that are under way at once, and that wait for them, for all recipients together. */
const maxLookups = 20;
const maxWaiting = 500;

interface Known {
  /** Without end while the storage is being asked. */
  until: number;
  readonly object: Promise<SelectedObject | null>;
}

/**
 * What is known of the objects of selections. A listing gives no such list, so the storage is asked for each of them; without
 * a memory, whoever holds a link could have it asked a hundred times with each look at the page.
 */
export class SelectedObjects {
  readonly #clock: () => number;
  /** In the order in which they were asked for. */
  readonly #known = new Map<string, Known>();
  /** By backend id, of those that are being asked: a slow one keeps nobody from what is in others. */
  readonly #lookups = new Map<string, Turns>();

  /** `clock` is in milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * An object as it was within the last 30 seconds, `null` when it is not there. Throws what the backend refuses with, and
   * 502 `backend_error` while too much waits for it; neither is remembered.
   */
  find(scope: BucketScope, key: string): Promise<SelectedObject | null> {
    const name = nameOf(scope, key);
    const known = this.#known.get(name);
    if (known !== undefined && known.until > this.#clock()) return known.object;
    const object = this.#inTurn(scope.connection.backend.id, () => lookUp(scope, key));
    const asked: Known = { until: Infinity, object };
    this.#known.delete(name);
    this.#known.set(name, asked);
    object.then(() => asked.until = this.#clock() + believedFor, () => this.#forget(name, object));
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown) this.#known.delete(oldest);
    return object;
  }

  /** An object has turned out not to be there, or not to be as it was. */
  forget(scope: BucketScope, key: string): void {
    this.#known.delete(nameOf(scope, key));
  }

  #forget(name: string, object: Known["object"]): void {
    if (this.#known.get(name)?.object === object) this.#known.delete(name);
  }

  async #inTurn<T>(backendId: string, work: () => Promise<T>): Promise<T> {
    const lookups = this.#lookups.get(backendId) ?? new Turns(maxLookups);
    this.#lookups.set(backendId, lookups);
    if (lookups.waiting >= maxWaiting) throw overloaded();
    try {
      return await lookups.run(work);
    } finally {
      if (lookups.isIdle) this.#lookups.delete(backendId);
    }
  }
}

/** It goes on when the recipient goes away: others may wait for the same answer. */
async function lookUp({ connection, bucket }: BucketScope, key: string): Promise<SelectedObject | null> {
  try {
    const { headers } = await connection.send({ method: "HEAD", bucket, key });
    const modified = Date.parse(headers.get("last-modified") ?? "");
    return {
      size: Number(headers.get("content-length") ?? 0),
      modified: new Date(Number.isNaN(modified) ? 0 : modified).toISOString(),
    };
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

function overloaded(): Problem {
  return new Problem(502, "backend_error", "Too many objects of this backend are asked for at once.");
}

function nameOf({ connection, bucket }: BucketScope, key: string): string {
  return JSON.stringify([connection.backend.id, bucket, key]);
}

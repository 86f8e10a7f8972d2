import { randomBytes } from "node:crypto";
import { notFound } from "../problem.ts";
import type { Selection } from "./selection.ts";

/** For how long a selection can be downloaded, in milliseconds: time to confirm a download, and to take it up again. */
const lifetimeMs = 10 * 60_000;

/** Selections that are kept at once. A user's oldest one makes room for their next; so does that of who keeps most. */
const maxKept = 64;
const maxKeptByUser = 8;

/** A selection that a user is about to download. */
export interface KeptSelection {
  readonly userId: string;
  readonly backend: string;
  readonly bucket: string;
  readonly selection: Selection;
  /** Name of the file without its ending, where the user has chosen one. */
  readonly name?: string;
}

/** Selections on their way from the request that names them to the one that a browser downloads by. */
export class KeptSelections {
  readonly #clock: () => number;
  readonly #kept = new Map<string, KeptSelection & { readonly until: number }>();

  /** `clock` is in milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Keeps a selection for a while, and tells how it is called and until when (milliseconds since the epoch). */
  keep(selection: KeptSelection): { readonly id: string; readonly until: number } {
    const now = this.#clock();
    for (const [id, { until }] of this.#kept) {
      if (until < now) this.#kept.delete(id);
    }
    this.#makeRoom(selection.userId);
    const id = randomBytes(16).toString("base64url");
    const until = now + lifetimeMs;
    this.#kept.set(id, { ...selection, until });
    return { id, until };
  }

  /** A user's selection in a bucket. Throws 404 `not_found` for every other one, and when its time is over. */
  get(id: string, place: Pick<KeptSelection, "userId" | "backend" | "bucket">): KeptSelection {
    const kept = this.#kept.get(id);
    if (
      kept === undefined || kept.until < this.#clock() || kept.userId !== place.userId ||
      kept.backend !== place.backend || kept.bucket !== place.bucket
    ) throw notFound("This selection is no longer kept: select the objects again.");
    return kept;
  }

  /** Takes from nobody who keeps less than others: one user alone must not end the downloads of all. */
  #makeRoom(userId: string): void {
    const byUser = Map.groupBy(this.#kept, ([, kept]) => kept.userId);
    const own = byUser.get(userId) ?? [];
    const most = [...byUser.values()].reduce(
      (first, second) => second.length > first.length ? second : first,
      own,
    );
    const crowded = own.length >= maxKeptByUser ? own : this.#kept.size >= maxKept ? most : [];
    const [oldest] = crowded;
    if (oldest !== undefined) this.#kept.delete(oldest[0]);
  }
}

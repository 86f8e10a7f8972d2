import { conflict } from "../problem.ts";

/** The name of an object that a move works on. */
interface ClaimedName {
  readonly bucket: string;
  readonly key: string;
}

/**
 * What is being moved. Two moves against each other, of `a` to `b` and of `b` to `a`, would each find its copy and then
 * delete that of the other.
 */
export class MoveClaims {
  readonly #claimed = new Set<string>();

  /**
   * Runs a move, alone on its source and its target. Throws 409 `conflict` while another one works on either. Names count
   * without their backend, since one server may be registered several times.
   */
  async claim<T>(source: ClaimedName, target: ClaimedName, move: () => Promise<T>): Promise<T> {
    const names = [source, target].map(({ bucket, key }) => `${bucket}/${key}`);
    if (names.some((name) => this.#claimed.has(name))) {
      throw conflict("Another move works on this object.");
    }
    for (const name of names) this.#claimed.add(name);
    try {
      return await move();
    } finally {
      for (const name of names) this.#claimed.delete(name);
    }
  }
}

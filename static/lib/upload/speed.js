// @ts-check

/** Milliseconds over which the speed is averaged. */
const span = 8_000;

/**
 * The speed of a transfer over its last seconds. A plain average since the start would answer a change of the line's
 * speed far too late; the last tick alone would jump about.
 */
export class Speed {
  /** @type {{ at: number, bytes: number }[]} */
  #samples = [];

  /**
   * Notes how much has been sent in all.
   *
   * @param {number} bytes
   * @param {number} now milliseconds
   */
  add(bytes, now) {
    const last = this.#samples.at(-1);
    if (last && bytes < last.bytes) this.#samples = [];
    this.#samples.push({ at: now, bytes });
    while (this.#samples.length > 2 && this.#samples[1].at <= now - span) this.#samples.shift();
  }

  /**
   * Bytes per second, or 0 while less than a quarter of a second has been seen.
   *
   * @param {number} now milliseconds
   */
  bytesPerSecond(now) {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || now - first.at < 250) return 0;
    return (last.bytes - first.bytes) * 1000 / (now - first.at);
  }

  /**
   * Seconds until `remaining` bytes are sent, or `null` when that cannot be said.
   *
   * @param {number} remaining bytes
   * @param {number} now milliseconds
   */
  secondsLeft(remaining, now) {
    const rate = this.bytesPerSecond(now);
    return rate > 0 ? remaining / rate : null;
  }
}

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { cookie, readCookie } from "../../http/cookies.ts";
import type { Share } from "../share.ts";

/** How long a password need not be given again, in seconds. */
const unlockSeconds = 30 * 60;

/** How long a download may be gone on with, in seconds. */
const downloadSeconds = 10 * 60;

const unlockCookie = "service_unlock";

/** Cookies of downloads that a share has in one browser at most: files share them out by a digest of their path. */
const downloadCookies = 16;

/** What a recipient's cookie says about a download. */
export interface CountedDownload {
  /** Whether it is of the object with this ETag. */
  isOf(etag: string): boolean;
}

/**
 * The cookies by which a share knows its recipients again: who has given the password, and whose download was counted. A
 * cookie holds the time at which it ends and an HMAC-SHA256 over that and what it is good for, so that it opens nothing else.
 */
export class SharePasses {
  readonly #key: Uint8Array;
  readonly #clock: () => number;

  /** `key` is 32 random bytes. `clock` is in milliseconds since the epoch. */
  constructor(key: Uint8Array, clock: () => number) {
    this.#key = key;
    this.#clock = clock;
  }

  /** The `Set-Cookie` that unlocks a share until its password is changed, for half an hour at most. */
  unlock(share: Share, secure: boolean): string {
    const until = this.#clock() + unlockSeconds * 1000;
    const value = `${until}.${this.#sign(unlockFacts(share), until)}`;
    return cookie(unlockCookie, value, {
      httpOnly: true,
      secure,
      maxAge: unlockSeconds,
      path: `/s/${share.code}`,
    });
  }

  /** Whether a share has no password, or a request carries what {@link unlock} has set. */
  isUnlocked(share: Share, headers: Headers): boolean {
    if (share.passwordHash === null) return true;
    const [until, signature] = readCookie(headers, unlockCookie)?.split(".") ?? [];
    return this.#holds(unlockFacts(share), until, signature);
  }

  /** The `Set-Cookie` that marks a download of `path`, below a folder share or empty, as counted. */
  download(share: Share, path: string, etag: string, secure: boolean): string {
    const until = this.#clock() + downloadSeconds * 1000;
    const mark = digest(etag);
    const value = `${until}.${mark}.${this.#sign(downloadFacts(share, path, mark), until)}`;
    return cookie(downloadCookie(path), value, {
      httpOnly: true,
      secure,
      maxAge: downloadSeconds,
      path: `/s/${share.code}`,
    });
  }

  /** What {@link download} has set for `path`, or `null`. */
  countedDownload(share: Share, path: string, headers: Headers): CountedDownload | null {
    const [until, mark, signature] = readCookie(headers, downloadCookie(path))?.split(".") ?? [];
    if (!this.#holds(downloadFacts(share, path, mark), until, signature)) return null;
    return { isOf: (etag) => digest(etag) === mark };
  }

  #holds(facts: readonly unknown[], until: string | undefined, signature: string | undefined): boolean {
    if (until === undefined || signature === undefined || !/^\d{1,15}$/.test(until)) return false;
    if (Number(until) <= this.#clock()) return false;
    const expected = new TextEncoder().encode(this.#sign(facts, Number(until)));
    const given = new TextEncoder().encode(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  #sign(facts: readonly unknown[], until: number): string {
    return createHmac("sha256", this.#key).update(JSON.stringify([...facts, until])).digest("base64url");
  }
}

function unlockFacts({ id, code, passwordHash }: Share): readonly unknown[] {
  return ["unlock", id, code, passwordHash];
}

function downloadFacts({ id, code }: Share, path: string, mark: string): readonly unknown[] {
  return ["download", id, code, path, mark];
}

function downloadCookie(path: string): string {
  const [first] = createHash("sha256").update(path).digest();
  return `service_download_${first % downloadCookies}`;
}

function digest(etag: string): string {
  return createHash("sha256").update(etag).digest("base64url").slice(0, 16);
}

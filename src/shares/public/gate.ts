import type { ClientAddress } from "../../http/client_address.ts";
import { addressKey } from "../../http/rate_limiter.ts";
import type { RequestContext } from "../../http/route.ts";
import { WindowLimiter } from "../../http/window_limiter.ts";
import { notFound, Problem, tooMany } from "../../problem.ts";
import type { ShareService } from "../service.ts";
import type { Share, ShareState } from "../share.ts";
import type { SharePasses } from "./passes.ts";

/** A request to a path below `/s/{code}`. */
export type ShareContext = RequestContext<unknown, unknown, "public">;

/** What {@link ShareGate} works with. */
export interface ShareGateDeps {
  readonly shares: ShareService;
  readonly passes: SharePasses;
  /** `ratelimit.share_per_minute`: requests by client address; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/**
 * What a request counts as for the limits by client address: `access` is what the specification limits. `browsing` costs no
 * download and tells nobody a password; a person who looks through a folder may do so six times as often. `upload` is a file
 * that is sent: there may be many small ones.
 */
export type RequestKind = "access" | "browsing" | "upload";

const minute = 60_000;
const browsingFactor = 6;
const uploadFactor = 30;

/** Characters of an unknown code that the audit keeps: what was mistyped may be all but the code of a share. */
const notedCharacters = 4;

const unusable: Record<Exclude<ShareState, "active">, readonly [code: string, message: string]> = {
  revoked: ["revoked", "This link is no longer in force."],
  // Recipients need not know why.
  suspended: ["revoked", "This link is no longer in force."],
  expired: ["expired", "This link has expired."],
  exhausted: ["exhausted", "This link has been used as often as it may be."],
};

/** Lets recipients through to a share or says why not: at each request anew, so that every change counts at once. */
export class ShareGate {
  readonly #deps: ShareGateDeps;
  readonly #limiters: Record<RequestKind, WindowLimiter> | null;

  constructor(deps: ShareGateDeps) {
    this.#deps = deps;
    const { requestsPerMinute, clock } = deps;
    const limiter = (max: number) => new WindowLimiter({ max, window: minute }, clock);
    this.#limiters = requestsPerMinute === 0 ? null : {
      access: limiter(requestsPerMinute),
      browsing: limiter(requestsPerMinute * browsingFactor),
      upload: limiter(requestsPerMinute * uploadFactor),
    };
  }

  /** The share with the code in a request's path, or `null`. Notes for the audit which it is. */
  find({ params: { code }, audit }: ShareContext): Share | null {
    const share = this.#deps.shares.find(code);
    if (share === null) {
      audit.detail.code_start = code.slice(0, notedCharacters);
      return null;
    }
    Object.assign(audit, { backend: share.backendId, bucket: share.bucket, key: share.key });
    audit.detail.share_id = share.id;
    return share;
  }

  /** Counts a request of a client. Throws 429 `rate_limited` when there were too many of its kind. */
  limit({ ip }: ClientAddress, kind: RequestKind): void {
    const wait = this.#limiters?.[kind].take(addressKey(ip)) ?? 0;
    if (wait > 0) throw tooMany(wait / 1000, "Too many requests from this address. Try again later.");
  }

  /** How many more requests of a kind a client may make now. */
  left({ ip }: ClientAddress, kind: RequestKind): number {
    return this.#limiters?.[kind].left(addressKey(ip)) ?? Infinity;
  }

  /**
   * A share that can be used. Throws 404 `not_found` for `null`, 410 `revoked`, `expired`, or `exhausted` unless
   * `evenExhausted`.
   */
  requireUsable(share: Share | null, { evenExhausted = false } = {}): Share {
    // The same for what can be no code at all.
    if (share === null) throw notFound("There is no such link.");
    const state = this.#deps.shares.stateOf(share);
    if (state === "active" || (evenExhausted && state === "exhausted")) return share;
    const [code, message] = unusable[state];
    throw new Problem(410, code, message);
  }

  /** {@link requireUsable}, and the password was given. Throws 401 `password_required` besides. */
  requireOpen(share: Share | null, headers: Headers, options?: { readonly evenExhausted?: boolean }): Share {
    const usable = this.requireUsable(share, options);
    if (this.#deps.passes.isUnlocked(usable, headers)) return usable;
    throw new Problem(401, "password_required", "This link needs its password first.");
  }

  /** Counts a request of its kind and gives the share that it may use. Throws as {@link limit} and {@link requireOpen} do. */
  admit(context: ShareContext, kind: RequestKind): Share {
    const share = this.find(context);
    this.limit(context.client, kind);
    return this.requireOpen(share, context.request.headers);
  }

  /**
   * Counts a download that is about to begin. Throws 410 when there may be none: others may have been faster since the share
   * was found usable.
   */
  countDownload({ audit }: ShareContext, share: Share): void {
    const { shares } = this.#deps;
    if (!shares.countDownload(share)) {
      this.requireUsable(shares.find(share.code));
      throw new Problem(410, ...unusable.exhausted);
    }
    audit.detail.counted = true;
  }
}

/** Runs `work`; when it throws, an answer of the storage is not wanted any more, and nothing more is sent for it. */
export async function orCancel(answer: Response, work: () => void): Promise<void> {
  try {
    work();
  } catch (error) {
    await answer.body?.cancel().catch(() => {});
    throw error;
  }
}

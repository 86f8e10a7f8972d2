/** The listener that a request came to. */
export type Listener = "dashboard" | "s3";

/** A request that failed. Texts from clients are cut to a bounded length. */
export interface Failure {
  /** When it was answered, in milliseconds since the epoch. */
  readonly at: number;
  readonly listener: Listener;
  readonly requestId: string;
  /** Method and route of the dashboard, or S3's name of the operation. */
  readonly operation: string;
  readonly status: number;
  /** Code of the error, or the audit's `result` of a request to the S3 endpoint. */
  readonly code: string;
  readonly backend: string;
  readonly bucket: string;
  /** Who was signed in, whose password was tried or whose access key it is; else empty. */
  readonly userId: string;
  /** Id of the access key that the request claimed; empty for none. */
  readonly accessKey: string;
  /** Whether the audit has a record of it. */
  readonly isAudited: boolean;
}

/** Failures that are kept of each kind. */
const kept = 50;

/** Longest text of a client that is kept. */
const maxLength = 128;

/**
 * The last requests that failed: 50 by a fault on this side (status 500 or above) and 50 others, so that clients that are
 * refused again and again do not push the faults out.
 */
export class RecentFailures {
  readonly #faults: Failure[] = [];
  readonly #refusals: Failure[] = [];

  /** Keeps a failure in place of the oldest one of its kind. */
  add(failure: Failure, isFault: boolean): void {
    const list = isFault ? this.#faults : this.#refusals;
    if (list.length >= kept) list.shift();
    list.push({ ...failure, bucket: cut(failure.bucket), accessKey: cut(failure.accessKey) });
  }

  /** All that are kept, newest first. */
  list(): Failure[] {
    return [...this.#faults, ...this.#refusals].sort((first, second) => second.at - first.at);
  }
}

function cut(text: string): string {
  return text.slice(0, maxLength);
}

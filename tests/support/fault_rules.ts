/** A request that came to a fault proxy. */
export interface ProxiedRequest {
  readonly method: string;
  readonly bucket: string;
  /** Decoded; empty for requests to the bucket itself. */
  readonly key: string;
  /** Such as `partNumber`, `uploads` and `delete`. */
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Bytes of the body that have come so far, with the frames of its chunks. */
  readonly bytes: number;
  /** Whether the upstream has got it. */
  readonly isForwarded: boolean;
  /** Status of the upstream's answer, once it has begun. */
  readonly status?: number;
}

/**
 * What goes wrong with one request:
 * - `refuse`: the connection ends before the body is read;
 * - `hang`: nothing is answered, until the proxy is stopped or the client goes away;
 * - `reset`: the connection ends once the request was read, of which the upstream sees nothing; with `afterBytes`, the upstream
 *   gets that much of the body and then both connections end;
 * - `status`: an error of S3's in XML, of which the upstream sees nothing;
 * - `slow`: the bodies of the request and of its answer pass at `bytesPerSecond` each;
 * - `truncated`: the connection ends after `afterBytes` of the answer's body;
 * - `lost_answer`: the upstream does what it was asked for, but the connection ends in place of its answer.
 */
export type RequestFault =
  | { readonly kind: "refuse" | "hang" | "lost_answer" }
  | { readonly kind: "reset"; readonly afterBytes?: number }
  | { readonly kind: "status"; readonly status: number; readonly code: string }
  | { readonly kind: "slow"; readonly bytesPerSecond: number }
  | { readonly kind: "truncated"; readonly afterBytes: number };

/** Which requests something is done to, and what. */
export interface FaultRule {
  /** Requests it is meant for; every one unless told. */
  readonly matches?: (request: ProxiedRequest) => boolean;
  /** The first of those requests that it is applied to; 1 unless told. */
  readonly from?: number;
  /**
   * How many of them it is applied to; every one from there on unless told. HTTP clients send a request again on their own
   * when a connection that they kept open ends before an answer: one `refuse`, `reset` or `lost_answer` may go unnoticed.
   */
  readonly count?: number;
  /** Nothing unless told, for rules that only call {@link FaultRule.onRequest}. */
  readonly fault?: RequestFault;
  /** Called when a request's head has come and nothing of it was forwarded; a promise holds the request back. */
  readonly onRequest?: (request: ProxiedRequest) => void | Promise<void>;
}

/** A rule in force. */
export interface ActiveRule {
  /** How many requests it was applied to. */
  readonly applied: number;
  /** Takes it out of force; requests under way are not changed. */
  remove(): void;
}

/** The rules of a proxy. */
export class FaultRules {
  readonly #rules = new Set<{ readonly rule: FaultRule; matched: number; applied: number }>();

  /** Puts a rule in force. */
  add(rule: FaultRule): ActiveRule {
    const entry = { rule, matched: 0, applied: 0 };
    this.#rules.add(entry);
    return {
      get applied() {
        return entry.applied;
      },
      remove: () => void this.#rules.delete(entry),
    };
  }

  /** Takes all rules out of force. */
  clear(): void {
    this.#rules.clear();
  }

  /** Counts a request, makes the calls that rules ask for, and gives the first fault that one has for it. */
  async apply(request: ProxiedRequest): Promise<RequestFault | undefined> {
    const due: FaultRule[] = [];
    for (const entry of this.#rules) {
      const { matches, from = 1, count = Infinity } = entry.rule;
      if (matches !== undefined && !matches(request)) continue;
      entry.matched++;
      if (entry.matched < from || entry.matched >= from + count) continue;
      entry.applied++;
      due.push(entry.rule);
    }
    for (const { onRequest } of due) await onRequest?.(request);
    return due.find(({ fault }) => fault !== undefined)?.fault;
  }
}

/** Bucket, key and query of a request's target, which names the bucket in its path. */
export function readTarget(target: string): Pick<ProxiedRequest, "bucket" | "key" | "query"> {
  const [path, query = ""] = target.split("?", 2);
  const [, bucket, ...key] = path.split("/");
  return { bucket: decode(bucket ?? ""), key: decode(key.join("/")), query: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import type { BackendRegistry } from "../backends/registry.ts";
import type { Logger } from "../logging/logger.ts";
import type { UploadJournal } from "../objects/upload_journal.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import type { Admission } from "./admission.ts";
import type { RequestContext } from "./context.ts";
import type { Upstream, Upstreams } from "./upstreams.ts";

/** What the operations of the endpoint work with. */
export interface OperationServices {
  readonly upstreams: Upstreams;
  readonly ledger: QuotaLedger;
  readonly admission: Admission;
  readonly logger: Logger;
  readonly journal: UploadJournal;
  readonly registry: BackendRegistry;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Answers a request that was found to be allowed. */
export type OperationHandler = (context: RequestContext, services: OperationServices) => Promise<void>;

/** The way to the backend of a request's bucket. Throws an `S3Error` when it cannot be used. */
export function upstreamOf(context: RequestContext, { upstreams }: OperationServices): Upstream {
  return upstreams.find(context.backend);
}

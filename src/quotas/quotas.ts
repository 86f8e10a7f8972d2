import type { AuditWriter } from "../audit/writer.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { Logger } from "../logging/logger.ts";
import type { Database } from "../store/database.ts";
import { BucketAccounts, type SoftExcess } from "./accounts.ts";
import { UsageCounter } from "./counter.ts";
import { QuotaLedger } from "./ledger.ts";
import { UsageScanner } from "./scanner.ts";
import { QuotaService } from "./service.ts";

/** What {@link openQuotas} takes. */
export interface QuotasDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly audit: AuditWriter;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** `quotas.scan_interval`. */
  readonly scanIntervalMs: number;
}

/** Everything about quotas. */
export interface Quotas {
  /** For those who let bytes in. */
  readonly ledger: QuotaLedger;
  /** For the API. */
  readonly service: QuotaService;
  readonly scanner: UsageScanner;
  /** Ends every count and keeps all figures; to be called before the database is closed. */
  close(): void;
}

/** Builds what belongs to quotas, with the figures of the last run. */
export function openQuotas(
  { database, registry, audit, logger, clock, scanIntervalMs }: QuotasDeps,
): Quotas {
  const accounts = new BucketAccounts(database, (excess) => {
    // The writer logs what it could not write, and nobody waits for this row.
    audit.record(softExceededEvent(excess, clock())).catch(() => {});
  });
  const counter = new UsageCounter({ accounts, database, registry, logger, clock });
  const scanner = new UsageScanner({
    accounts,
    counter,
    database,
    registry,
    logger,
    intervalMs: scanIntervalMs,
  });
  return {
    ledger: new QuotaLedger({ accounts, counter, registry }),
    service: new QuotaService({ accounts, counter, scanner, database, clock }),
    scanner,
    close() {
      scanner.stop();
      counter.close();
      accounts.close();
    },
  };
}

function softExceededEvent({ backend, bucket, softBytes, usageBytes }: SoftExcess, at: number) {
  return {
    at,
    action: "quota.soft_exceeded",
    userId: "",
    backend,
    bucket,
    key: "",
    requestId: "",
    ip: "",
    userAgent: "",
    status: "ok",
    detail: { soft_bytes: softBytes, usage_bytes: usageBytes },
  };
}

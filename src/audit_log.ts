import { AuditRetention } from "./audit/retention.ts";
import { auditRoutes } from "./audit/routes.ts";
import { AuditService } from "./audit/service.ts";
import { AuditWriter } from "./audit/writer.ts";
import type { UserDirectory } from "./auth/user_directory.ts";
import type { Route } from "./http/route.ts";
import type { Logger } from "./logging/logger.ts";
import type { Database } from "./store/database.ts";

/** What {@link buildAuditLog} wires. */
export interface AuditLogDeps {
  readonly database: Database;
  readonly users: UserDirectory;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Age in milliseconds at which rows are removed; 0 keeps them. */
  readonly retentionMs: number;
}

/** The services of the audit table. */
export interface AuditLog {
  readonly writer: AuditWriter;
  readonly service: AuditService;
  readonly retention: AuditRetention;
  readonly routes: readonly Route[];
}

/** Builds what writes, reads and thins out the audit table. */
export function buildAuditLog({ database, users, logger, clock, retentionMs }: AuditLogDeps): AuditLog {
  const writer = new AuditWriter(database, logger);
  const service = new AuditService(database, users, writer);
  const retention = new AuditRetention({ database, retentionMs, logger, clock });
  return { writer, service, retention, routes: auditRoutes({ audit: service, clock }) };
}

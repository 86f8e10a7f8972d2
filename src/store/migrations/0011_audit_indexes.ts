import type { Migration } from "./migration.ts";

/**
 * The indexes of the audit table: what a filter may ask for, then the time. Rows of the same time are told apart by their
 * id, which SQLite adds to every index by itself. The few actions and statuses come before the time, so that they can be
 * asked for beside another column; backends and buckets, of which strangers can make up any number, only come first.
 */
export const auditIndexes: Migration = {
  name: "0011_audit_indexes",
  sql: `
    DROP INDEX audit_events_by_time;
    DROP INDEX audit_events_by_action;
    DROP INDEX audit_events_by_user;
    DROP INDEX audit_events_by_bucket;
    DROP INDEX audit_events_by_status;
    CREATE INDEX audit_events_by_time ON audit_events (at);
    CREATE INDEX audit_events_by_status ON audit_events (status, at);
    CREATE INDEX audit_events_by_action ON audit_events (action, status, at);
    CREATE INDEX audit_events_by_user ON audit_events (user_id, action, status, at);
    CREATE INDEX audit_events_by_backend ON audit_events (backend, action, status, at);
    CREATE INDEX audit_events_by_bucket ON audit_events (bucket, action, status, at);
    CREATE INDEX audit_events_by_place ON audit_events (backend, bucket, action, status, at);
    CREATE INDEX audit_events_by_key ON audit_events (key, at);
  `,
};

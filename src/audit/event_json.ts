import { z } from "zod";

/** An audit row as the API shows it. */
export const auditEventSchema = z.strictObject({
  id: z.int(),
  timestamp: z.iso.datetime(),
  user_id: z.string(),
  username: z.string().optional().meta({
    description: "The user's name today; absent for nobody and for users who are gone",
  }),
  action: z.string(),
  backend: z.string(),
  bucket: z.string(),
  key: z.string(),
  request_id: z.string(),
  ip: z.string(),
  user_agent: z.string(),
  status: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** An audit row as {@link auditEventSchema} has it. */
export type AuditEventJson = z.output<typeof auditEventSchema>;

/** One page of the list. */
export const auditPageSchema = z.strictObject({
  events: z.array(auditEventSchema),
  next_cursor: z.string().nullable().meta({
    description:
      "Where to go on; null at the end. A page that is shorter than `limit`, even an empty one, is not the " +
      "end: when no index fits several filters together, a page looks at 5,000 rows at most",
  }),
  total: z.int().optional().meta({
    description:
      "How many rows match; absent beyond 10,000, when counting would take long, and on later pages",
  }),
});

/** A page as {@link auditPageSchema} has it. */
export type AuditPage = z.output<typeof auditPageSchema>;

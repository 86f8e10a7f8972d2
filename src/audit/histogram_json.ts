import { z } from "zod";

/** How matching rows are spread over time, as the API shows it. */
export const auditHistogramSchema = z.strictObject({
  step_seconds: z.int(),
  steps: z.array(z.strictObject({
    at: z.iso.datetime(),
    ok: z.int(),
    failed: z.int().meta({ description: "Rows of any other status than `ok`" }),
  })).meta({ description: "Oldest first, without gaps" }),
  ok: z.int(),
  failed: z.int(),
  counted_from: z.iso.datetime().nullable().meta({
    description:
      "Rows from before were not looked at, since no index fits these filters together; null when all were",
  }),
  estimated: z.boolean().meta({
    description:
      "Whether there are too many rows to count them all for one answer: counts are estimates then",
  }),
});

/** A histogram as {@link auditHistogramSchema} has it. */
export type AuditHistogramJson = z.output<typeof auditHistogramSchema>;

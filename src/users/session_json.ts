import { z } from "zod";
import type { Session } from "../auth/principal.ts";
import { timestamp } from "../timestamp.ts";

/** A session as the API shows it. */
export const sessionSchema = z.strictObject({
  id: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
  ip: z.string(),
  user_agent: z.string(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

/** A session as the API shows it to whoever asks in the session `currentId`. */
export function sessionJson(
  session: Omit<Session, "csrfToken">,
  currentId: string,
): z.output<typeof sessionSchema> {
  return {
    id: session.id,
    current: session.id === currentId,
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: timestamp(session.createdAt),
    last_seen_at: timestamp(session.lastSeenAt),
    expires_at: timestamp(session.expiresAt),
  };
}

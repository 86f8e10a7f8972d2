import type { Migration } from "./migration.ts";

/** Whether somebody stands for a user's e-mail address: an administrator, or the identity provider. */
export const vouchedEmails: Migration = {
  name: "0012_vouched_emails",
  sql: `
    ALTER TABLE users ADD COLUMN email_vouched INTEGER NOT NULL DEFAULT 0;
    UPDATE users SET email_vouched = 1 WHERE email IS NOT NULL;
  `,
};

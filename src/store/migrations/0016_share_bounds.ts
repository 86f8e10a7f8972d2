import type { Migration } from "./migration.ts";

/**
 * Whether a link for uploads keeps the folders of what is sent: those that were made before put files side by side, as their
 * makers were told. How many keys a selection has stays known when the keys go, which they do with the link.
 */
export const shareBounds: Migration = {
  name: "0016_share_bounds",
  sql: `
    ALTER TABLE shares ADD COLUMN keep_folders INTEGER NOT NULL DEFAULT 0 CHECK (keep_folders IN (0, 1));
    ALTER TABLE shares ADD COLUMN key_count INTEGER NOT NULL DEFAULT 0;
    UPDATE shares SET key_count = (SELECT count(*) FROM share_keys WHERE share_id = shares.id)
      WHERE kind = 'selection';
    DELETE FROM share_keys WHERE share_id IN (SELECT id FROM shares WHERE revoked_at IS NOT NULL);
  `,
};

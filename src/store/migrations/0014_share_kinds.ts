import type { Migration } from "./migration.ts";

/**
 * Two more kinds of links: to a selection of objects and folders, whose keys are in a table of their own, and one by which
 * strangers send files. The bounds of the latter are never NULL: nobody may fill a bucket without end.
 */
export const shareKinds: Migration = {
  name: "0014_share_kinds",
  sql: `
    ALTER TABLE shares ADD COLUMN kind TEXT NOT NULL DEFAULT 'object'
      CHECK (kind IN ('object', 'folder', 'selection', 'upload'));
    UPDATE shares SET kind = 'folder' WHERE substr(key, -1) = '/';
    ALTER TABLE shares ADD COLUMN upload_title TEXT NOT NULL DEFAULT '';
    ALTER TABLE shares ADD COLUMN upload_message TEXT NOT NULL DEFAULT '';
    ALTER TABLE shares ADD COLUMN max_uploads INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shares ADD COLUMN max_upload_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shares ADD COLUMN max_file_bytes INTEGER;
    ALTER TABLE shares ADD COLUMN upload_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shares ADD COLUMN uploaded_bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE shares ADD COLUMN last_upload_at INTEGER;
    CREATE TABLE share_keys (
      share_id  INTEGER NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
      key       TEXT NOT NULL,
      PRIMARY KEY (share_id, key)
    ) STRICT, WITHOUT ROWID;
  `,
};

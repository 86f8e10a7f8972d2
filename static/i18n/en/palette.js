// @ts-check

/** The command palette and the field for a path. */
export const palette = /** @type {const} */ ({
  "palette.title": "Search or go to anything",
  "palette.placeholder": "Bucket, page, action or s3://…",
  "palette.results": "Results",
  "palette.none": "Nothing found. Check the spelling, or paste a path such as s3://bucket/key.",
  "palette.path": "Path",
  "palette.pins": "Pinned",
  "palette.recent": "Recent",
  "palette.actions": "Actions",
  "palette.pages": "Pages",
  "palette.admin": "Administration",
  "palette.backends": "Backends",
  "palette.buckets": "Buckets",
  "palette.search": "Search",
  "palette.search_for": "Search all buckets for “{text}”",
  "palette.go_to": "Go to {path}",
  "palette.failed": "This did not work",
  "palette.hint_move": "move",
  "palette.hint_open": "open",
  "palette.hint_close": "close",
  "palette.count": { one: "{n} result", other: "{n} results" },
  "palette.path_label": "Path: bucket/key, s3://bucket/key, an ARN or an address",
  "palette.path_placeholder": "s3://bucket/key, an ARN or an address",
  "palette.no_bucket_named": "This names no bucket. Type bucket/key, s3://bucket/key or an ARN.",
  "palette.unknown_bucket": "No backend has a bucket called {bucket}.",
  "palette.several_backends":
    "{backends} each have a bucket called {bucket}. Say which one, as in {example}.",
});

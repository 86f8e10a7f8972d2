import { previewKind } from "../../../static/lib/preview/kind.js";

/** How recipients can be shown a file; `none` for what they can only download. */
export const publicPreviewKinds = ["image", "video", "audio", "pdf", "text", "none"] as const;

/** One of {@link publicPreviewKinds}. */
export type PublicPreviewKind = typeof publicPreviewKinds[number];

/** The dashboard's kind of preview, of which recipients have fewer. `contentType` may be empty: the name decides then. */
export function publicPreviewKind(key: string, contentType: string): PublicPreviewKind {
  const kind = previewKind(key, contentType);
  if (kind === "csv" || kind === "json" || kind === "markdown") return "text";
  return kind === "gzip" || kind === "zip" || kind === "parquet" || kind === "hex" ? "none" : kind;
}

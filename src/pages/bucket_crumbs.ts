import { backendPage, bucketPage } from "../../static/lib/browse/object_urls.js";
import { t } from "../../static/lib/i18n.js";
import type { Crumb } from "../../static/lib/frame_parts.js";

/** The way to a page about a bucket. */
export function bucketCrumbs(backend: { id: string; name: string }, bucket: string, label: string): Crumb[] {
  return [
    { label: t("settings.overview"), href: "/" },
    { label: backend.name, href: backendPage(backend.id) },
    { label: bucket, href: bucketPage(backend.id, bucket) },
    { label },
  ];
}

// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { withBase } from "../base.js";
import { confirm } from "../dialog.js";
import { formatBytes } from "../format.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { objectUrl } from "./object_urls.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/** Keys, and prefixes, that one archive is made of at most. */
const maxSelected = 10_000;

/** Above so many bytes it is asked before an archive is made. */
const askedAbove = 1 << 30;

/**
 * Downloads an object as it is, several things or a folder as one zip file: once it is known how much that is.
 *
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
export async function download(browser, entries) {
  if (entries.length === 1 && !entries[0].folder) {
    return follow(objectUrl(browser.api, entries[0].key, "attachment"));
  }
  if (entries.length > maxSelected) {
    return toast(t("browse.zip_too_many", { n: maxSelected }), { kind: "info" });
  }
  try {
    const { objects, bytes } = await extentOf(browser, entries);
    if (objects === 0) return toast(t("browse.zip_empty"), { kind: "info" });
    if (bytes > askedAbove && !await agree(objects, bytes)) return;
    await downloadZip(browser, entries);
    toast(t("browse.zip_started", { n: objects, size: formatBytes(bytes) }), { kind: "info" });
  } catch (error) {
    toastError(t("browse.zip_failed"), error);
  }
}

/**
 * How much the archive will hold; what is in folders is counted first.
 *
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
async function extentOf(browser, entries) {
  const extent = { objects: 0, bytes: 0 };
  for (const { folder, key, size } of entries) {
    const { count, bytes } = folder
      ? await request("POST", `${browser.api}/objects/measure`, { json: { prefix: key } })
      : { count: 1, bytes: size };
    extent.objects += count;
    extent.bytes += bytes;
  }
  return extent;
}

/**
 * @param {number} objects
 * @param {number} bytes
 */
function agree(objects, bytes) {
  return confirm({
    title: t("browse.zip_title"),
    body: html`<p>${t("browse.zip_text", { n: objects, size: formatBytes(bytes) })}</p>`,
    action: t("common.download"),
  });
}

/**
 * Has the server keep what is selected, and downloads the archive by a plain link: the browser then writes it straight to
 * the disk.
 *
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
async function downloadZip(browser, entries) {
  const { selection } = await request("POST", `${browser.api}/objects/zip/selection`, {
    json: {
      keys: entries.filter(({ folder }) => !folder).map(({ key }) => key),
      prefixes: entries.filter(({ folder }) => folder).map(({ key }) => key),
    },
  });
  follow(`${browser.api}/objects/zip?selection=${selection}`);
}

/** @param {string} href */
function follow(href) {
  const link = document.createElement("a");
  link.href = withBase(href);
  link.download = "";
  link.click();
}

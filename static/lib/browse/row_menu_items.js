// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { isPinned, togglePin } from "../places/pinned.js";
import { objectUrl } from "./object_urls.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/** @typedef {{ label: string, icon: string, danger?: boolean, run: () => unknown }} Item */

/**
 * What can be done with one row.
 *
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {Entry} entry
 * @returns {Item[]}
 */
export function rowMenuItems(browser, actions, entry) {
  const { key, folder } = entry;
  const view = () => globalThis.open(objectUrl(browser.api, key, "inline"), "_blank", "noopener");
  const opening = folder
    ? [{ label: t("common.open"), icon: "folder", run: () => actions.open(entry) }]
    : [{ label: t("common.open"), icon: "external", run: view }];
  const details = { label: t("browse.details"), icon: "info", run: () => browser.showDetails(key) };
  return [
    ...opening,
    {
      label: folder ? t("browse.download_zip") : t("common.download"),
      icon: "download",
      run: () => actions.download([entry]),
    },
    { label: t("browse.copy_uri"), icon: "copy", run: () => actions.copyUris([entry]) },
    { label: t("browse.copy_link"), icon: "link", run: () => actions.copyLinks([entry]) },
    ...browser.canShare
      ? [{ label: t("browse.share_dots"), icon: "share", run: () => actions.share([entry]) }]
      : [],
    ...browser.canShare && folder
      ? [{ label: t("browse.request_files"), icon: "upload", run: () => actions.requestFiles(key) }]
      : [],
    ...folder ? pinning(browser, key) : [details],
    ...browser.canWrite ? changes(actions, entry) : [],
  ];
}

/**
 * @param {BrowserActions} actions
 * @param {Entry} entry
 * @returns {Item[]}
 */
function changes(actions, entry) {
  return [
    { label: t("browse.rename"), icon: "edit", run: () => actions.rename(entry) },
    { label: t("browse.move_to"), icon: "move", run: () => actions.move([entry]) },
    { label: t("browse.copy_to"), icon: "copy", run: () => actions.copy([entry]) },
    { label: t("common.delete"), icon: "trash", danger: true, run: () => actions.remove([entry]) },
  ];
}

/**
 * @param {Browser} browser
 * @param {string} prefix
 * @returns {Item[]}
 */
function pinning({ backend, bucket }, prefix) {
  const place = { backend_id: backend.id, bucket, prefix };
  const pinned = isPinned(place);
  if (pinned === null) return [];
  const label = pinned ? t("places.unpin_folder") : t("places.pin_folder");
  return [{ label, icon: pinned ? "pin-filled" : "pin", run: () => togglePin(place) }];
}

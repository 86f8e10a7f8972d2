// @ts-check
import { request } from "../api.js";
import { confirm } from "../dialog.js";
import { formatBytes } from "../format.js";
import { html } from "../html.js";
import { rich, t } from "../i18n.js";
import { failureText, runJob } from "../jobs/run.js";
import { shellWord, ShowCommand } from "../commands.js";
import { toast } from "../toast.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/** S3's limit for a key, in bytes of UTF-8. */
const maxKeyBytes = 1024;

/**
 * What is wrong with a new name for a row; empty when nothing is.
 *
 * @param {Browser} browser
 * @param {Entry} entry
 * @param {string} name
 */
export function nameProblem(browser, entry, name) {
  if (name === "") return t("browse.name_missing");
  if (name.includes("/")) return t("browse.name_slash");
  if (name.includes("\0")) return t("browse.name_nul");
  const { prefix } = browser.place.value;
  const bytes = new TextEncoder().encode(prefix + name).length;
  if (bytes > maxKeyBytes) return t("browse.path_too_long", { max: maxKeyBytes, bytes });
  const { folders, objects } = browser.loader.listing.value;
  const others = entry.folder ? folders : objects;
  return others.some((other) => other.name === name) ? t("browse.name_taken", { name }) : "";
}

/**
 * Gives a row another name: an object at once, a folder once it is clear what that takes. Offers to take it back.
 *
 * @param {Browser} browser
 * @param {Entry} entry
 * @param {string} name
 * @returns {Promise<string>} what went wrong; empty when nothing did, or it was left be
 */
export async function renameEntry(browser, entry, name) {
  const { prefix } = browser.place.value;
  const to = `${prefix}${name}${entry.folder ? "/" : ""}`;
  try {
    if (entry.folder && !await agreeToRename(browser, entry, name, to)) return "";
    await move(browser, entry.folder, entry.key, to);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  show(browser, entry, to);
  browser.undo.offer(t("browse.renamed", { from: entry.name, to: name }), async () => {
    await move(browser, entry.folder, to, entry.key);
    show(browser, { ...entry, key: to }, entry.key);
    toast(t("browse.renamed", { from: name, to: entry.name }));
  });
  return "";
}

/**
 * @param {Browser} browser
 * @param {boolean} folder
 * @param {string} from
 * @param {string} to
 */
async function move(browser, folder, from, to) {
  const options = {
    label: t("browse.renaming", { from, to }),
    onStarted: (/** @type {{ id: string }} */ { id }) => browser.shownJobs.add(id),
  };
  const job = folder
    ? await runJob(`${browser.api}/objects/copy-prefix`, {
      src_prefix: from,
      dst_prefix: to,
      move: true,
      on_conflict: "skip",
    }, options)
    : await runJob(
      `${browser.api}/object/copy`,
      { src_key: from, dst_key: to, move: true, if_absent: true },
      options,
    );
  const failure = failureText(job);
  if (failure === "" && job.skipped === 0) return;
  browser.reload();
  throw new Error(failure || t("browse.rename_partly", { n: job.skipped }));
}

/**
 * Shows a row under its new key.
 *
 * @param {Browser} browser
 * @param {Entry} entry
 * @param {string} to
 */
function show(browser, entry, to) {
  const wasOpen = browser.place.value.open === entry.key;
  browser.noteDeleted([entry.key]);
  browser.noteStored({ key: to, size: entry.size, modified: Date.now() });
  const index = browser.rows.value.findIndex(({ key }) => key === to);
  if (index >= 0) browser.moveTo(index);
  if (wasOpen) browser.showDetails(to);
}

/**
 * Says what renaming a folder takes: S3 has no folders, so that everything in it gets a new key.
 *
 * @param {Browser} browser
 * @param {Entry} entry
 * @param {string} name
 * @param {string} to
 */
async function agreeToRename(browser, entry, name, to) {
  const { count, bytes, conflicts = 0 } = await request("POST", `${browser.api}/objects/copy-prefix`, {
    json: { src_prefix: entry.key, dst_prefix: to, dry_run: true },
  });
  if (conflicts > 0) throw new Error(t("browse.name_taken", { name }));
  const uri = (/** @type {string} */ key) => shellWord(`s3://${browser.bucket}/${key}`);
  return await confirm({
    title: t("browse.rename_folder_title", { from: entry.name, to: name }),
    body: html`
      <p>${rich("browse.rename_folder_text", {
        n: count,
        size: formatBytes(bytes),
        key: html`<bdi dir="ltr" class="mono">${to}</bdi>`,
      })}</p>
      <${ShowCommand} lines=${[`aws s3 mv --recursive ${uri(entry.key)} ${uri(to)}`]} />
    `,
    action: t("browse.rename_folder_action", { n: count }),
  });
}

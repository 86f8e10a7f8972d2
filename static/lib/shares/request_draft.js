// @ts-check
import { bytesOf, byteUnits, unitOf } from "../byte_units.js";
import { t } from "../i18n.js";
import { readDecimal } from "../typed_numbers.js";
import { apiFields, problemsOf, usualExpiry } from "./draft.js";

/** @typedef {import("./share.js").Share} Share */

/**
 * What the form of a link for uploads holds. Sizes are a number and its unit.
 *
 * @typedef {object} RequestDraft
 * @property {string} title
 * @property {string} message
 * @property {string} expiry one of {@link requestExpiries}, or `keep` for a link that has one
 * @property {string} custom local date and time, as an `<input type="datetime-local">` has it, for the expiry `custom`
 * @property {"keep" | "set" | "none"} passwordMode
 * @property {string} password
 * @property {string} files how many may be sent
 * @property {string} size of all files together
 * @property {string} sizeUnit
 * @property {string} fileSize of each file; empty for no bound of its own
 * @property {string} fileUnit
 * @property {"keep" | "flat"} folders
 * @property {number} longest how long it may last, in milliseconds
 * @property {string} note
 */

/** @typedef {{ custom?: string, password?: string, files?: string, size?: string, fileSize?: string }} RequestProblems */

/**
 * How long a link for uploads can last, with the keys of its words.
 * @type {ReadonlyArray<readonly [string, import("../i18n.js").MessageKey]>}
 */
export const requestExpiries = [
  ["hour", "shares.expiry_hour"],
  ["day", "shares.expiry_day"],
  ["week", "shares.expiry_week"],
  ["month", "shares.expiry_month"],
  ["custom", "shares.expiry_custom"],
];

/** What a new one allows: the server's own choice. */
const usual = { max_uploads: 100, max_bytes: 10 * 2 ** 30 };

/**
 * The form of a link to be made.
 *
 * @param {string} title
 * @returns {RequestDraft}
 */
export function newRequestDraft(title) {
  return {
    longest: Infinity,
    title,
    message: "",
    expiry: usualExpiry(Infinity),
    custom: "",
    passwordMode: "set",
    password: "",
    files: String(usual.max_uploads),
    ...sizeOf(usual.max_bytes),
    fileSize: "",
    fileUnit: unitOf(2 ** 20),
    folders: "keep",
    note: "",
  };
}

/**
 * The form of a link as it is.
 *
 * @param {Share} share
 * @returns {RequestDraft}
 */
export function requestDraftOf({ upload, has_password, note }) {
  if (upload === undefined) throw new TypeError("not a link for uploads");
  const { title, message, max_uploads, max_bytes, max_file_bytes, keep_folders } = upload;
  const { size: fileSize, sizeUnit: fileUnit } = sizeOf(max_file_bytes ?? 2 ** 20);
  return {
    longest: Infinity,
    title,
    message,
    expiry: "keep",
    custom: "",
    passwordMode: has_password ? "keep" : "set",
    password: "",
    files: String(max_uploads),
    ...sizeOf(max_bytes),
    fileSize: max_file_bytes === null ? "" : fileSize,
    fileUnit,
    folders: keep_folders ? "keep" : "flat",
    note,
  };
}

/**
 * A size in the unit that suits it, exactly: what is not touched is not changed.
 * @param {number} bytes
 */
function sizeOf(bytes) {
  const [smallest] = byteUnits();
  const sizeUnit = bytes < smallest.bytes ? smallest.name : unitOf(bytes);
  return { size: String(bytes / bytesOf(sizeUnit)), sizeUnit };
}

/**
 * What is wrong with a form, by field; empty when nothing is.
 *
 * @param {RequestDraft} draft
 * @param {number} now milliseconds since the epoch
 * @param {boolean} [passwordNeeded] whether a link that has a password is given another
 * @returns {RequestProblems}
 */
export function requestProblemsOf(draft, now, passwordNeeded = false) {
  /** @type {RequestProblems} */
  const problems = problemsOf({ ...draft, limit: "", disposition: "attachment" }, now, passwordNeeded);
  const files = Number(draft.files);
  if (!/^[1-9]\d*$/.test(draft.files) || files > 10_000) problems.files = t("shares.request_files_wrong");
  if (bytesIn(draft.size, draft.sizeUnit) === 0) problems.size = t("shares.request_size_wrong");
  if (draft.fileSize !== "" && bytesIn(draft.fileSize, draft.fileUnit) === 0) {
    problems.fileSize = t("shares.request_size_wrong");
  }
  return problems;
}

/**
 * A size as it was typed, in bytes; 0, which the API refuses, for what is none.
 *
 * @param {string} text
 * @param {string} unit
 */
function bytesIn(text, unit) {
  const bytes = Math.round((readDecimal(text) ?? 0) * bytesOf(unit));
  return bytes >= 1 && bytes <= 2 ** 50 ? bytes : 0;
}

/**
 * A form as the API takes it. What is kept is left out.
 *
 * @param {RequestDraft} draft
 * @param {number} now milliseconds since the epoch
 * @returns {Record<string, string | number | boolean | null>}
 */
export function requestFields(draft, now) {
  const { max_downloads: _, disposition: __, ...fields } = apiFields(
    { ...draft, limit: "", disposition: "attachment" },
    now,
  );
  return {
    ...fields,
    title: draft.title.trim(),
    message: draft.message.trim(),
    max_uploads: Number(draft.files),
    max_bytes: bytesIn(draft.size, draft.sizeUnit),
    max_file_bytes: draft.fileSize === "" ? null : bytesIn(draft.fileSize, draft.fileUnit),
    keep_folders: draft.folders === "keep",
  };
}

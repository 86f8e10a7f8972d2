// @ts-check
import { t } from "../i18n.js";

/** @import { Problem } from "./section.js" */

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {value is string[]}
 */
export function isTextList(value) {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/**
 * The fields of an object that it cannot have.
 * @param {Record<string, unknown>} value
 * @param {readonly string[]} known
 * @param {string} path of the object, empty for the whole
 * @returns {Problem[]}
 */
export function unknownFields(value, known, path) {
  return Object.keys(value).filter((name) => !known.includes(name)).map((name) => ({
    path: path === "" ? name : `${path}.${name}`,
    message: t("settings.problem_unknown_field", { name }),
  }));
}

// @ts-check
/// <reference lib="dom" />
import { computed, signal } from "@preact/signals";
import { ApiError } from "./api.js";
import { t } from "./i18n.js";

/**
 * @typedef {object} Toast
 * @property {number} id
 * @property {"info" | "success" | "error"} kind
 * @property {string} message
 * @property {string} [detail] a second line, such as the request id; empty for none
 * @property {{ label: string, run: () => unknown }} [action] such as Undo
 * @property {boolean} [undoes] whether the action takes back what the message tells of
 * @property {boolean} [sticky] stays until it is dismissed, as errors do
 * @property {number} at milliseconds since the epoch
 */

/** Messages that are shown at once. */
export const maxToasts = 3;

/** Messages that are kept for those who read them late. */
const maxKept = 50;

/** The messages that are shown. @type {import("@preact/signals").Signal<readonly Toast[]>} */
export const toasts = signal([]);

/** What was said in this document, the latest first. @type {import("@preact/signals").Signal<readonly Toast[]>} */
export const pastToasts = signal([]);

/** The id of the last message that was seen in the list. */
const seen = signal(0);
let lastId = 0;

/** How many messages have come since the list was looked at. */
export const unseenToasts = computed(() => pastToasts.value.filter(({ id }) => id > seen.value).length);

/**
 * Says that something happened. Errors stay until they are dismissed; everything else goes by itself, later when there
 * is an action to take. All of it can be read later in the list of notifications. `undo` takes back what happened: it
 * becomes the action, which Ctrl+Z or Cmd+Z runs too as long as the message is shown.
 * @param {string} message
 * @param {Partial<Pick<Toast, "kind" | "detail" | "action" | "sticky">> & { undo?: () => unknown }} [options]
 * @returns {number} its id, for {@link dismissToast}
 */
export function toast(message, { kind = "success", detail, action, undo, sticky = kind === "error" } = {}) {
  const id = ++lastId;
  const added = {
    id,
    kind,
    message,
    detail,
    action: undo ? { label: t("common.undo"), run: undo } : action,
    undoes: undo !== undefined,
    sticky,
    at: Date.now(),
  };
  const all = [...toasts.value, added];
  const errors = all.filter(isError).slice(-maxToasts);
  // News make room for errors, but for the latest: it may have something to undo.
  const news = all.filter((shown) => !isError(shown)).slice(-Math.max(1, maxToasts - errors.length));
  toasts.value = [...errors, ...news];
  pastToasts.value = [added, ...pastToasts.value].slice(0, maxKept);
  mountToasts();
  return id;
}

/**
 * Says that something failed, with what support needs to find it.
 * @param {string} what such as `The bucket was not created`
 * @param {unknown} error
 */
export function toastError(what, error) {
  const facts = error instanceof ApiError ? error : null;
  const reason = facts?.text ?? (error instanceof Error ? error.message : String(error));
  toast(`${what}: ${reason}`, {
    kind: "error",
    detail: [facts?.said, facts?.requestId && t("common.request_id", { id: facts.requestId })]
      .filter(Boolean).join(" · "),
  });
}

/** @param {number} id */
export function dismissToast(id) {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}

/** Takes back what the latest message that can be undone tells of, if one is shown. */
export function undoLast() {
  const last = toasts.value.findLast(({ undoes }) => undoes);
  if (last !== undefined) runAction(last);
}

/** Whether a message is shown that {@link undoLast} would act on. */
export function canUndo() {
  return toasts.value.some(({ undoes }) => undoes);
}

/**
 * Does what a message offers, once: it is taken from the screen, and its offer from the list.
 * @param {Toast} item
 */
export function runAction({ id, action }) {
  withdrawAction(id);
  action?.run();
}

/**
 * Takes a message from the screen, and what it offers from the list: that has been done.
 * @param {number} id
 */
export function withdrawAction(id) {
  dismissToast(id);
  pastToasts.value = pastToasts.value.map((kept) => kept.id === id ? { ...kept, action: undefined } : kept);
}

/** Notes that the list of messages has been looked at. */
export function markToastsSeen() {
  seen.value = lastId;
}

export function clearPastToasts() {
  pastToasts.value = [];
}

/** Puts the live regions of the shell to work, which the first message needs. */
export async function mountToasts() {
  try {
    const { mountRegions } = await import("./toast_region.js");
    mountRegions();
  } catch {
    // What is said without a connection is shown when it is back.
    addEventListener("online", mountToasts, { once: true });
  }
}

/** @param {Pick<Toast, "kind">} item */
export function isError({ kind }) {
  return kind === "error";
}

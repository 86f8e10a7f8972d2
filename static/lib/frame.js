// @ts-check
/// <reference lib="dom" />
import { effect } from "@preact/signals";
import { request } from "./api.js";
import { basePath, currentPath, withBase } from "./base.js";
import { t } from "./i18n.js";
import { addShortcuts } from "./keys.js";
import { visit } from "./navigation.js";
import { tellTabs } from "./session_channel.js";
import { toastError, undoLast, unseenToasts } from "./toast.js";
import { transfers } from "./transfers/center.js";

/** The appearance a user can choose, by cookie: the server prints it on `<html>`, so that the first paint is right. */
const yearInSeconds = 365 * 86_400;

/**
 * Sets `theme`, `density`, `rail`, `units` or `list` for this browser, now and for the pages to come, or `language` for those alone.
 * @param {"theme" | "density" | "rail" | "units" | "list" | "language"} name
 * @param {string} value an empty one goes back to the default
 */
export function setPreference(name, value) {
  const root = document.documentElement;
  if (value === "") delete root.dataset[name];
  else if (name !== "language") root.dataset[name] = value;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `ui_${name}=${value}; Path=${basePath() || "/"}; SameSite=Lax; Max-Age=${
    value === "" ? 0 : yearInSeconds
  }${secure}`;
  dispatchEvent(new CustomEvent("preference", { detail: { name, value } }));
}

/**
 * What is set for this browser, empty for the default.
 * @param {"theme" | "density" | "rail" | "units" | "list"} name
 */
export function preference(name) {
  return document.documentElement.dataset[name] ?? "";
}

/** Switches between light and dark, from whatever is shown now. */
function toggleTheme() {
  const dark = preference("theme") === ""
    ? matchMedia("(prefers-color-scheme: dark)").matches
    : preference("theme") === "dark";
  setPreference("theme", dark ? "light" : "dark");
}

/** Ends the session here and in the user's other tabs, and goes to the sign-in page. */
export async function signOut() {
  try {
    const answer = await request("POST", "/auth/logout");
    tellTabs({ type: "signed-out" });
    location.assign(withBase(answer?.redirect ?? "/login"));
  } catch (error) {
    toastError(t("frame.still_signed_in"), error);
  }
}

/** Opens the list of shortcuts. */
async function showShortcuts() {
  const { openShortcutSheet } = await import("./shortcut_sheet.js");
  await openShortcutSheet();
}

/** Opens the command palette. */
async function openPalette() {
  const { openPalette } = await import("./palette/palette.js");
  await openPalette({ toggleTheme, signOut });
}

async function showNotifications() {
  const { openNotifications } = await import("./notifications.js");
  await openNotifications();
}

/** Makes the path in the top bar a field. */
async function editPath() {
  const { openPathForm } = await import("./palette/path_form.js");
  openPathForm();
}

function toggleRail() {
  setPreference("rail", preference("rail") === "collapsed" ? "" : "collapsed");
}

/** @type {Readonly<Record<string, () => unknown>>} */
const commands = {
  "toggle-theme": toggleTheme,
  "toggle-rail": toggleRail,
  "toggle-tray": () => transfers.openTray(),
  "sign-out": signOut,
  "show-shortcuts": showShortcuts,
  "show-notifications": showNotifications,
  "open-palette": openPalette,
  "edit-path": editPath,
};

/** Gives the shell's own buttons and shortcuts their meaning. */
export function startFrame() {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-command]") : null;
    if (button instanceof HTMLElement) run(button.dataset.command ?? "");
  });
  addShortcuts([...everywhere(), ...goTo()]);
  revealCurrent();
  showCount("toggle-tray", () => transfers.underWay.value);
  showCount("show-notifications", () => unseenToasts.value);
}

/** Scrolls the rail, which may be longer than the window, to the page that is shown. */
export function revealCurrent() {
  document.querySelector(".rail [aria-current]")?.scrollIntoView({ block: "nearest" });
}

/** @param {string} name */
async function run(name) {
  try {
    await commands[name]?.();
  } catch (error) {
    // Such as a module that could not be loaded.
    toastError(t("frame.command_failed"), error);
  }
}

/** @returns {import("./keys.js").Shortcut[]} */
function everywhere() {
  const group = t("frame.everywhere");
  return [
    { keys: "?", label: t("frame.key_shortcuts"), group, run: () => run("show-shortcuts") },
    {
      keys: "mod+k",
      label: t("frame.key_palette"),
      group,
      whileTyping: true,
      run: () => run("open-palette"),
    },
    { keys: "g p", label: t("frame.key_path"), group, run: () => run("edit-path") },
    { keys: "[", label: t("frame.key_fold"), group, run: toggleRail },
    { keys: "t", label: t("frame.key_tray"), group, run: () => run("toggle-tray") },
    { keys: "mod+z", label: t("frame.key_undo"), group, run: undoLast },
  ];
}

/** Shortcuts to the pages that the shell links to: what the user may not see has no shortcut either. */
function goTo() {
  const group = t("frame.go_to");
  /** @type {Array<[keys: string, href: string, label: string]>} */
  const pages = [
    ["g o", "/", t("frame.key_overview")],
    ["g b", bucketsPage(), t("frame.key_buckets")],
    ["g f", "/search", t("frame.key_search")],
    ["g t", "/transfers", t("frame.key_transfers")],
    ["g s", "/shares", t("frame.key_shares")],
    ["g c", "/credentials", t("frame.key_credentials")],
    ["g h", "/admin/health", t("frame.key_health")],
    ["g u", "/admin/users", t("frame.key_users")],
    ["g a", "/admin/audit", t("frame.key_audit")],
    ["g m", "/me", t("frame.key_account")],
  ];
  return pages
    .filter(([, href]) => document.querySelector(`.rail a[href="${withBase(href)}"]`) !== null)
    .map(([keys, href, label]) => ({
      keys,
      label,
      group,
      href,
      run: () => visit(keys === "g b" ? bucketsPage() : href),
    }));
}

/** The page with the buckets of the backend that is shown, or else of the first one. */
function bucketsPage() {
  return /^\/b\/[^/]+/.exec(currentPath())?.[0] ??
    document.querySelector("#rail-backends a")?.getAttribute("href") ?? "/b";
}

/**
 * Keeps the number at a button of the top bar up to date.
 * @param {string} command
 * @param {() => number} count
 */
function showCount(command, count) {
  const button = document.querySelector(`[data-command="${command}"]`);
  const place = button?.querySelector(".count");
  if (!button || !place) return;
  const label = button.getAttribute("aria-label");
  effect(() => {
    const shown = count();
    const text = shown === 0 ? "" : shown > 99 ? "99+" : String(shown);
    place.textContent = text;
    button.setAttribute("aria-label", text === "" ? `${label}` : `${label}: ${text}`);
  });
}

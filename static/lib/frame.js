// @ts-check
/// <reference lib="dom" />
import { request } from "./api.js";
import { addShortcuts } from "./keys.js";
import { toastError } from "./toast.js";

/** The appearance a user can choose, by cookie: the server prints it on `<html>`, so that the first paint is right. */
const yearInSeconds = 365 * 86_400;

/** Tells the user's other tabs that this browser has signed out. */
const channel = new BroadcastChannel("session");

/**
 * Sets `theme`, `density` or `rail` for this browser, now and for the pages to come.
 * @param {"theme" | "density" | "rail"} name
 * @param {string} value an empty one goes back to the default
 */
export function setPreference(name, value) {
  const root = document.documentElement;
  if (value === "") delete root.dataset[name];
  else root.dataset[name] = value;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `ui_${name}=${value}; Path=/; SameSite=Lax; Max-Age=${
    value === "" ? 0 : yearInSeconds
  }${secure}`;
  dispatchEvent(new CustomEvent("preference", { detail: { name, value } }));
}

/**
 * What is set for this browser, empty for the default.
 * @param {"theme" | "density" | "rail"} name
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
    channel.postMessage("signed-out");
    location.assign(answer?.redirect ?? "/login");
  } catch (error) {
    toastError("You are still signed in", error);
  }
}

/** Opens the list of shortcuts. */
async function showShortcuts() {
  const { openShortcutSheet } = await import("./shortcut_sheet.js");
  openShortcutSheet();
}

/** Gives the shell's own buttons and shortcuts their meaning. */
export function startFrame() {
  /** @type {Record<string, () => void>} */
  const commands = {
    "toggle-theme": toggleTheme,
    "toggle-rail": () => setPreference("rail", preference("rail") === "collapsed" ? "" : "collapsed"),
    "sign-out": signOut,
    "show-shortcuts": showShortcuts,
  };
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-command]") : null;
    if (button instanceof HTMLElement) commands[button.dataset.command ?? ""]?.();
  });
  channel.addEventListener("message", ({ data }) => {
    if (data === "signed-out") location.reload();
  });
  addShortcuts([
    { keys: "?", label: "Show all shortcuts", group: "Everywhere", run: showShortcuts },
    { keys: "[", label: "Fold or unfold the side bar", group: "Everywhere", run: commands["toggle-rail"] },
    ...goTo("g o", "/", "Go to the overview"),
    ...goTo("g s", "/shares", "Go to the shares"),
    ...goTo("g h", "/admin/health", "Go to backend health"),
    ...goTo("g a", "/admin/audit", "Go to the audit log"),
    ...goTo("g m", "/me", "Go to your account"),
  ]);
}

/**
 * A shortcut to a page, if the shell links to it: what the user may not see has no shortcut either.
 * @param {string} keys
 * @param {string} href
 * @param {string} label
 */
function goTo(keys, href, label) {
  if (document.querySelector(`.rail a[href="${href}"]`) === null) return [];
  return [{ keys, label, group: "Go to", run: () => location.assign(href) }];
}

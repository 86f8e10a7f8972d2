// @ts-check
/// <reference lib="dom" />
import { t } from "./i18n.js";

/**
 * The keys of a shortcut as they are written on a keyboard. Two are separated by a space; a space alone is a key.
 * @param {string} keys as `Shortcut` has them
 */
export function keyNames(keys) {
  return (keys === " " ? [keys] : keys.split(" ")).map(keyName);
}

/**
 * @param {string} key
 * @returns {string}
 */
function keyName(key) {
  const onMac = /Mac|iPhone|iPad/.test(navigator.platform);
  if (key.startsWith("alt+")) return (onMac ? "⌥" : "Alt+") + keyName(key.slice(4));
  if (key.startsWith("mod+")) {
    return (onMac ? "⌘" : `${t("frame.key_control")}+`) + key.slice(4).toUpperCase();
  }
  switch (key) {
    case " ":
      return t("frame.key_space");
    case "ArrowUp":
      return "↑";
    case "ArrowDown":
      return "↓";
    case "ArrowRight":
      return "→";
    case "ArrowLeft":
      return "←";
    case "Enter":
      return t("frame.key_enter");
    case "Escape":
      return t("frame.key_escape");
    case "Backspace":
      return t("frame.key_backspace");
    case "Delete":
      return t("frame.key_delete");
    case "Home":
      return t("frame.key_home");
    case "End":
      return t("frame.key_end");
    case "PageUp":
      return t("frame.key_page_up");
    case "PageDown":
      return t("frame.key_page_down");
    default:
      return key;
  }
}

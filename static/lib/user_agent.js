// @ts-check
import { t } from "./i18n.js";

/** @type {ReadonlyArray<readonly [RegExp, string]>} */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

/** @type {ReadonlyArray<readonly [RegExp, string]>} */
const systems = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A `User-Agent` in a few words, such as `Firefox on Linux`; a program's own name when it is no browser.
 * @param {string} userAgent
 */
export function describeAgent(userAgent) {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return /^[^\s(]{1,60}/.exec(userAgent)?.[0] ?? t("common.unknown_program");
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? browser : t("common.browser_on_system", { browser, system });
}

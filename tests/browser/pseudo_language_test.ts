import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { accent, pseudoLanguage } from "../../src/pages/pseudo_language.ts";
import { type Scene, scenes } from "../showcase/scenes.ts";
import { longName, withStage } from "../showcase/stage.ts";
import { skipBrowser, withPage, withSharedBrowser } from "../support/browser.ts";
import type { Client } from "../support/http_client.ts";
import { openPage } from "../support/looks.ts";
import { until } from "../support/poll.ts";
import { sittings } from "./looking.ts";

/** What is the same in every language: what is stored on the stage, products, formats, sizes and moments. */
const data = new RegExp(
  "(?<!\\w)(?:" + [
    "Main storage|Archive|Old NAS|Nightly backups|Deployment of the website|Reports, to read only|For the board",
    "Ada asks you for the photos of the garden|Please send what you took on Saturday[^]*Thank you!",
    longName,
    "pond with a rather long name in the evening\\.\\w+",
    "documents|photos|backups|website|invoices-\\d+|readings|pictures|inbox|old-readings|large-drafts|rule-\\d+",
    "main|archive|old-nas|admin|ulrike|rita|us-east-1|doc|uments|ok|error|Standard|CSV|UTC",
    "(?:application|image|text)/[\\w.-]+",
    "[\\w./-]+(?: \\(\\d\\))?\\.(?:txt|pdf|csv|json|png|html|md|log|zst|jpg|mp4|tiff|wav)",
    "[A-Z][a-z]{2} \\d{1,2}, \\d{4}",
    "KiB|MiB|GiB|kB|MB|GB|ms|min|Deno",
  ].join("|") + ")(?!\\w)",
  "g",
);

/** What is found wrong with a page. */
interface Faults {
  /** Boxes with more in them than they show. */
  readonly cut: string[];
  /** Texts that no catalogue seems to have. */
  readonly foreign: string[];
  /** What a finger can hardly hit, and fields that a telephone zooms in on, where there is no mouse. */
  readonly small: string[];
}

/** Pages that are looked at at the same time: most of it is waiting. */
const lanes = 3;

/** As many scenes at most follow each other in one page, so that the lanes end together. */
const longestSitting = 5;

Deno.test(
  { name: "every page in a language that is longer, and from right to left", ignore: skipBrowser() },
  () =>
    withStage(({ program, ...stage }) =>
      withSharedBrowser(async (browser) => {
        const sessions = new Map<string, Client>();
        for (const user of ["admin", "rita"]) sessions.set(user, await program.signedIn(user));
        const found: string[] = [];
        const waiting = [...sittings(scenes({ program, ...stage }))].flatMap(parted);
        const look = async () => {
          for (let sitting = waiting.shift(); sitting !== undefined; sitting = waiting.shift()) {
            const [{ name, user = "admin", expectedErrors }] = sitting;
            const session = sessions.get(user ?? "");
            const looking = withPage(
              program,
              { browser, session, user: user ?? undefined, expectedErrors },
              async (page) => {
                // One scene that fails must not keep the others from being looked at.
                for (const scene of sitting) {
                  found.push(...await faultsOf(page, scene).catch((error) => [`${scene.name}: ${error}`]));
                }
              },
            );
            await looking.catch((error) => found.push(`${name} and what follows it: ${error}`));
          }
        };
        await Promise.all(Array.from({ length: lanes }, look));
        assert.deepEqual(found, []);
      })
    ),
);

function parted(sitting: readonly Scene[]): Scene[][] {
  const count = Math.ceil(sitting.length / longestSitting);
  return Array.from(
    { length: count },
    (_, part) => sitting.slice(part * longestSitting, (part + 1) * longestSitting),
  );
}

/** Looks at a scene in a page that has shown others. */
async function faultsOf(page: Page, { name, path, prepare, isBusy }: Scene): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await openPage(page, `${path}${path.includes("?") ? "&" : "?"}lang=xx`);
  assert.equal(await page.getAttribute("html", "lang"), pseudoLanguage);
  await prepare?.(inPseudo(page));
  if (!isBusy) await page.waitForLoadState("networkidle");
  const found: string[] = [];
  const session = await page.context().newCDPSession(page);
  for (const direction of ["ltr", "rtl"]) {
    await page.evaluate(`document.documentElement.dir = "${direction}"`);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await session.send("Emulation.setTouchEmulationEnabled", { enabled: width === 360 });
      const { cut, foreign, small } = await settledFaults(page);
      found.push(...cut.map((box) => `${name}, ${width} px, ${direction}: ${box} is cut off`));
      if (direction === "ltr") found.push(...small.map((control) => `${name}, touch: ${control}`));
      if (direction === "rtl" || width === 360) continue;
      found.push(...foreign.filter(isForeign).map((text) => `${name}: ${text}`));
    }
  }
  // Otherwise the next scene would be one for fingers from the beginning.
  await session.detach();
  return found;
}

/** The faults of a page once it has followed the width, as charts and lists do a little later. */
async function settledFaults(page: Page): Promise<Faults> {
  let faults: Faults = { cut: [], foreign: [], small: [] };
  const isWhole = async () => {
    faults = await page.evaluate(readFaults) as Faults;
    return faults.cut.length + faults.small.length === 0;
  };
  await until(isWhole, { what: "the page to fit", timeoutMs: 5_000 }).catch(() => {});
  return faults;
}

/** Whether a text, after the place where it was found, has words that are no data. */
function isForeign(text: string): boolean {
  return /[A-Za-z]{2}/.test(text.slice(text.indexOf(": ")).replaceAll(data, ""));
}

/** A page or a part of it, on which what has a name in English is found by its name in the language that is shown. */
function inPseudo<T extends Page | Locator>(target: T): T {
  return new Proxy(target, {
    get(target, property) {
      const value = Reflect.get(target, property);
      if (typeof value !== "function") return value;
      return (...parameters: unknown[]) => {
        const isSearch = typeof property === "string" && property.startsWith("getBy");
        const sought = isSearch ? translated(property, parameters) : parameters;
        const result = Reflect.apply(value, target, sought);
        return isLocator(result) ? inPseudo(result) : result;
      };
    },
  });
}

function isLocator(value: unknown): value is Locator {
  return typeof value === "object" && value !== null && "getByRole" in value;
}

/** The parameters of a search, for both languages: the name of a role, or the text, label or placeholder itself. */
function translated(search: string, [first, options = {}]: unknown[]): unknown[] {
  const { name, exact = false, ...others } = options as { name?: unknown; exact?: boolean };
  if (search !== "getByRole") return [pattern(first, exact), others];
  return [first, { ...others, name: pattern(name, exact) }];
}

/** With or without accents, letter by letter: names of files are among what is sought. */
function pattern(sought: unknown, isExact: boolean): unknown {
  if (sought instanceof RegExp) return new RegExp(eitherWay(sought.source), sought.flags);
  if (typeof sought !== "string") return sought;
  const source = eitherWay(sought.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(isExact ? `^\\[?${source}~*\\]?$` : source, "i");
}

function eitherWay(source: string): string {
  return source.replaceAll(
    /\\.|[a-z]/gi,
    (part) => part[0] === "\\" ? part : `(?:${part}|${accent(part)})`,
  );
}

/** Finds what is wrong with the page that is shown. */
const readFaults = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getClientRects().length > 0 && element.closest(".visually-hidden, [inert], [aria-hidden=true]") === null;
  const place = (element) => element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") +
    [...element.classList].map((name) => "." + name).join("");
  const cut = [];
  for (const element of document.querySelectorAll("html, body, main, dialog, .page")) {
    if (shown(element) && element.scrollWidth > element.clientWidth + 1) {
      cut.push(place(element) + " by " + (element.scrollWidth - element.clientWidth));
    }
  }
  for (const element of document.querySelectorAll("button, .button, [role=tab], label, legend, summary, h1, h2, h3")) {
    if (!shown(element) || element.textContent.trim() === "") continue;
    if (element.scrollWidth > element.clientWidth + 2 && getComputedStyle(element).display !== "inline") {
      cut.push(place(element) + ": " + element.textContent.trim().slice(0, 60));
    }
  }
  const small = [];
  const controls = "button, .button, summary, select, textarea, [role=tab], [role=option], [role^=menuitem], " +
    "input:not([type=range], [type=file])";
  for (const element of matchMedia("(pointer: coarse)").matches ? document.querySelectorAll(controls) : []) {
    if (!shown(element) || element.disabled) continue;
    const target = element.matches("[type=checkbox], [type=radio]") &&
      element.closest("label, td, th, .object-check, .choice > *") || element;
    const { width, height } = target.getBoundingClientRect();
    if (Math.min(width, height) < 43) small.push(place(element) + " is " + width + " x " + height);
    if (element.matches("input:not([type=checkbox], [type=radio]), select, textarea") &&
      parseFloat(getComputedStyle(element).fontSize) < 16) small.push(place(element) + " has small letters");
  }
  const foreign = [];
  const data = "code, kbd, pre, bdi, time, .number, .mono, [lang]:not(html), textarea, svg text";
  const isForeign = (text) => /[A-Za-z]{2}/.test(text) && !/[\\u00c0-\\u024f\\u1e00-\\u1eff\\[\\]]/.test(text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const parent = walker.currentNode.parentElement;
    if (!isForeign(text) || parent.closest("script, style, template") || parent.closest(data)) continue;
    if (parent.checkVisibility() || parent.closest(".visually-hidden")) foreign.push(place(parent) + ": " + text);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description", "aria-valuetext"]) {
    for (const element of document.querySelectorAll("body [" + name + "]")) {
      const text = element.getAttribute(name);
      if (isForeign(text) && !element.closest(data)) foreign.push(place(element) + " " + name + ": " + text);
    }
  }
  return { cut, foreign, small };
})()`;

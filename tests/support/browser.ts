import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findExecutable, requireExecutable, skipWithout } from "./executables.ts";
import type { Client } from "./http_client.ts";
import type { Program } from "./program.ts";

/** How a page is looked at. */
export interface PageOptions {
  /** Who is signed in; nobody when absent. */
  readonly user?: string;
  /** A sign-in of theirs to be used in place of a new one. */
  readonly session?: Client;
  /** 1280 × 800 CSS pixels unless told, 360 × 740 on a telephone. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
  /** Whether it is a telephone's screen, which has touch and no mouse. */
  readonly isPhone?: boolean;
  /** Console errors that the test brings about, such as that of an answer with status 404. */
  readonly expectedErrors?: readonly RegExp[];
  /** A browser to be used in place of that of the test file. */
  readonly browser?: Browser;
}

/** Whether tests that need the browser must be skipped, for the `ignore` option of `Deno.test`; never in CI. */
export function skipBrowser(): boolean {
  return skipWithout("chromium");
}

/** Runs `body` with a browser of its own, as people have it; outside of tests, too. */
export async function withBrowser<T>(body: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launch(requireExecutable("chromium"));
  try {
    return await body(browser);
  } finally {
    await browser.close();
  }
}

/** The browser of a test file: it takes a while to start. */
let shared: Promise<Browser> | undefined;

let isWhole = false;

/**
 * Has the tests of a file run in Chromium as people have it, also where its headless shell is installed. That is the same
 * engine without windows, and takes half as much of the processor; but it shows no PDF, and times are to be those of people.
 */
export function useWholeBrowser(): void {
  isWhole = true;
}

Deno.test.afterAll(async () => {
  await (await shared)?.close();
});

/** Runs `body` with the browser that the tests of a file share; pages in it share nothing. */
export async function withSharedBrowser<T>(body: (browser: Browser) => Promise<T>): Promise<T> {
  return await body(await (shared ??= launch(sharedExecutable())));
}

function sharedExecutable(): string {
  const shell = isWhole || Deno.env.get("CHROMIUM") ? undefined : findExecutable("chromium-headless-shell");
  return shell ?? requireExecutable("chromium");
}

async function launch(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/**
 * Runs `body` with a page that shares nothing with others; relative addresses start from the program's. Fails on any violation of
 * the content security policy, on any script error, and on any console error that was not expected.
 */
export async function withPage<T>(
  program: Pick<Program, "url" | "signedIn">,
  options: PageOptions,
  body: (page: Page) => Promise<T>,
): Promise<T> {
  const { browser } = options;
  if (browser === undefined) {
    return await withSharedBrowser((browser) => withPage(program, { ...options, browser }, body));
  }
  const { colorScheme, javaScriptEnabled, isPhone, expectedErrors = [] } = options;
  const viewport = options.viewport ?? (isPhone ? { width: 360, height: 740 } : { width: 1280, height: 800 });
  const looks = { viewport, colorScheme, javaScriptEnabled, isMobile: isPhone, hasTouch: isPhone };
  const page = await openPage(browser, { baseURL: program.url, ...looks });
  const faults = collectFaults(page);
  try {
    await takeSession(page, program, options);
    const result = await body(page);
    const unexpected = faults.filter((fault) => !expectedErrors.some((expected) => expected.test(fault)));
    assert.deepEqual(unexpected, [], "faults in the browser");
    return result;
  } catch (error) {
    console.error(`the page when the test failed: ${await describePage(page)}`, faults);
    throw error;
  } finally {
    await page.context().close();
  }
}

/** What a page shows: its open dialog if there is one, else all of it. */
async function describePage(page: Page): Promise<string> {
  const shown = `[...document.querySelectorAll("dialog[open]"), document.body].at(0).innerText`;
  const tooLate = new Promise((resolve) => setTimeout(resolve, 5_000, "it does not answer"));
  const text = await Promise.race([page.evaluate(shown).catch(String), tooLate]);
  return `${page.url()}\n${String(text).slice(0, 2_000)}`;
}

/** What of a page {@link accessibilityFaults} asks axe about: all of WCAG 2.2 level AA, or what a theme can change of it. */
const accessibilityRules = {
  all: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  colors: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
};

/** What axe finds wrong with the page by WCAG 2.2 level AA, or with its colors alone, as `rule: element` lines. */
export async function accessibilityFaults(
  page: Page,
  rules: keyof typeof accessibilityRules = "all",
): Promise<string[]> {
  if (!await page.evaluate(`"axe" in globalThis`)) await page.evaluate(await axeSource());
  const options = JSON.stringify({ runOnly: accessibilityRules[rules], resultTypes: ["violations"] });
  const violations = await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  ) as { id: string; nodes: { html: string }[] }[];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

let axe: Promise<string> | undefined;

function axeSource(): Promise<string> {
  return axe ??= Deno.readTextFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"));
}

/** Milliseconds that anything may take in the browser; only a failure takes so long. */
const timeoutMs = 60_000;

async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeoutMs);
  // The console tells of violations too, but not of those of a policy that only reports.
  await context.addInitScript(`document.addEventListener("securitypolicyviolation", (event) =>
    console.error("content security policy: " + event.violatedDirective + " blocked " + event.blockedURI))`);
  return await context.newPage();
}

function collectFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => faults.push(error.stack || String(error)));
  page.on("crash", () => faults.push("the page crashed"));
  return faults;
}

async function takeSession(
  page: Page,
  program: Pick<Program, "url" | "signedIn">,
  { user, session }: PageOptions,
): Promise<void> {
  const client = session ?? (user === undefined ? undefined : await program.signedIn(user));
  if (client === undefined) return;
  const { cookies } = client;
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: program.url })));
}

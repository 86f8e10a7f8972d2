import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { requireExecutable, skipWithout } from "./executables.ts";
import type { Client } from "./http_client.ts";
import type { Program } from "./program.ts";

/** How a page is looked at. */
export interface PageOptions {
  /** Who is signed in; nobody when absent. */
  readonly user?: string;
  /** A sign-in of theirs to be used in place of a new one. */
  readonly session?: Client;
  /** 1280 × 800 CSS pixels unless told. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
  /** Console errors that the test brings about, such as that of an answer with status 404. */
  readonly expectedErrors?: readonly RegExp[];
  /** A browser to be used in place of one of its own; pages in it share nothing. */
  readonly browser?: Browser;
}

/** Whether tests that need the browser must be skipped, for the `ignore` option of `Deno.test`; never in CI. */
export function skipBrowser(): boolean {
  return skipWithout("chromium");
}

/** Runs `body` with a browser, which takes a while to start: for several pages one after the other. */
export async function withBrowser<T>(body: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: requireExecutable("chromium"),
    args: ["--no-sandbox"],
  });
  try {
    return await body(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Runs `body` with a page of a browser of its own; relative addresses start from the program's. Fails on any violation of
 * the content security policy, on any script error, and on any console error that was not expected.
 */
export async function withPage<T>(
  program: Pick<Program, "url" | "signedIn">,
  options: PageOptions,
  body: (page: Page) => Promise<T>,
): Promise<T> {
  const { browser } = options;
  if (browser === undefined) {
    return await withBrowser((browser) => withPage(program, { ...options, browser }, body));
  }
  const { colorScheme, javaScriptEnabled, expectedErrors = [] } = options;
  const viewport = options.viewport ?? { width: 1280, height: 800 };
  const page = await openPage(browser, { baseURL: program.url, viewport, colorScheme, javaScriptEnabled });
  try {
    const faults = collectFaults(page);
    await takeSession(page, program, options);
    const result = await body(page);
    const unexpected = faults.filter((fault) => !expectedErrors.some((expected) => expected.test(fault)));
    assert.deepEqual(unexpected, [], "faults in the browser");
    return result;
  } finally {
    await page.context().close();
  }
}

/** What axe finds wrong with the page by WCAG 2.2 level AA, as `rule: element` lines. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const source = await Deno.readTextFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"));
  await page.evaluate(source);
  const violations = await page.evaluate(`axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  }).then(({ violations }) => violations)`) as { id: string; nodes: { html: string }[] }[];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
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
  page.on("pageerror", (error) => faults.push(String(error.stack ?? error)));
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

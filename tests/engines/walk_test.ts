import assert from "node:assert/strict";
import { join } from "node:path";
import type { Engine } from "../support/engines/engine.ts";
import { startFirefox } from "../support/engines/firefox.ts";
import { click, hold, press, see, seeFocus, seeNo, type } from "../support/engines/person.ts";
import { startWebKit } from "../support/engines/webkit.ts";
import { skipWithout } from "../support/executables.ts";
import { testPassword } from "../support/program.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { type Page, pages } from "./pages.ts";
import { withWorld, type World } from "./world.ts";

// The other tests look into every corner with Chromium; these visit every page with the engines that other people have.

const files = "/b/main/files";

/** The engines by their name: what starts them, and whether that is missing. */
const engines = {
  firefox: { start: startFirefox, ignore: skipWithout("firefox-esr") },
  webkit: { start: startWebKit, ignore: skipWithout("WebKitWebDriver") || skipWithout("Xvfb") },
};

/** What is done after every page has been looked at, by its name. */
const parts: Readonly<Record<string, (engine: Engine, world: World, name: string) => Promise<void>>> = {
  "a filter is typed": typeFilter,
  "details are opened and closed with the keyboard": openDetails,
  "the palette leads to a page, and the history back": usePalette,
  "the theme is switched": switchTheme,
  "a file is uploaded": upload,
  "a share is made": share,
  "a file is sent by a link": send,
  "the dashboard speaks German": speakGerman,
};

Deno.test({
  name: "every page, with other engines",
  ignore: skipUpstream("minio") || Object.values(engines).every(({ ignore }) => ignore),
  fn: (context) =>
    withWorld(async (world) => {
      for (const [name, { start, ignore }] of Object.entries(engines)) {
        await context.step({ name, ignore, fn: (context) => walk(context, world, name, start) });
      }
    }),
});

async function walk(
  context: Deno.TestContext,
  world: World,
  name: string,
  start: (program: string) => Promise<Engine>,
): Promise<void> {
  const engine = await start(world.program.url);
  const step = (name: string, body: () => Promise<void>) =>
    context.step(name, async () => {
      try {
        await body();
        assert.deepEqual(await engine.errors(), [], "errors in the browser");
      } catch (error) {
        console.error(`the page when the test failed: ${await describePage(engine)}`);
        throw error;
      }
    });
  try {
    await step("signing in", () => signIn(engine));
    for (const page of pages(world)) await step(nameOf(page), () => visit(engine, page));
    for (const [part, run] of Object.entries(parts)) await step(part, () => run(engine, world, name));
  } finally {
    await engine.close();
  }
}

/** The page's path, but for a share, whose code is another each time. */
function nameOf([path, [, title]]: Page): string {
  return path.startsWith("/s/") ? `/s/ ${title}` : path;
}

function describePage(engine: Engine): Promise<string> {
  return engine.evaluate<string>("location + '\\n' + document.body.innerText.slice(0, 2000)").catch(String);
}

/** What a page is once its scripts have brought it to life; one in the frame also watches the session then. */
const alive = "html[data-watched], html[data-ready]:not(:has(.frame))";

/** Opens a page and waits until its scripts have brought it to life. */
async function open(engine: Engine, path: string): Promise<void> {
  await engine.open(path);
  await see(engine, alive);
}

/** Waits until a click or a key has led to another page, and until its scripts have brought it to life. */
async function landOn(engine: Engine, path: string): Promise<void> {
  await hold(engine, `location.pathname === ${JSON.stringify(path)}`, `the address ${path}`);
  await see(engine, "html[data-ready]");
  await see(engine, alive);
}

async function signIn(engine: Engine): Promise<void> {
  await open(engine, "/login");
  await click(engine, "[name=username]");
  await type(engine, "admin");
  await press(engine, "Tab");
  await type(engine, testPassword);
  await press(engine, "Enter");
  await landOn(engine, "/");
}

async function visit(engine: Engine, [path, ...sights]: Page): Promise<void> {
  await open(engine, path);
  for (const [selector, text] of sights) await see(engine, selector, text);
  const images = "[...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)";
  await hold(engine, images, "the images");
}

async function typeFilter(engine: Engine): Promise<void> {
  await open(engine, files);
  await see(engine, ".object-row", "text.txt");
  await press(engine, "/");
  await seeFocus(engine, "#filter");
  await type(engine, "tab");
  await seeNo(engine, ".object-row", "text.txt");
  await see(engine, ".object-row", "table.csv");
  await press(engine, "Escape");
  await see(engine, ".object-row", "text.txt");
}

async function openDetails(engine: Engine): Promise<void> {
  await open(engine, files);
  await click(engine, ".object-row .object-size", "15 B");
  await press(engine, "Enter");
  await see(engine, ".details .preview-text", "Grüße, 世界");
  await press(engine, "Escape");
  await seeNo(engine, ".object-row[aria-selected=true]");
  await press(engine, "Escape");
  await seeNo(engine, ".details");
}

async function usePalette(engine: Engine): Promise<void> {
  await open(engine, "/");
  await press(engine, "Control", "k");
  await seeFocus(engine, "dialog [role=combobox]");
  await type(engine, "aud");
  await see(engine, "dialog [role=option][aria-selected=true]", "Audit log");
  await press(engine, "Enter");
  await landOn(engine, "/admin/audit");
  await see(engine, "h1", "Audit log");
  await engine.evaluate("history.back()");
  await landOn(engine, "/");
  await see(engine, "h1", "Overview");
}

async function switchTheme(engine: Engine): Promise<void> {
  const background = "getComputedStyle(document.body).backgroundColor";
  await open(engine, "/");
  const light = await engine.evaluate(background);
  await click(engine, "button", "Switch between light and dark");
  await see(engine, "html[data-theme=dark]");
  await hold(engine, `${background} !== ${JSON.stringify(light)}`, "dark colors");
  await click(engine, "button", "Switch between light and dark");
  await hold(engine, `${background} === ${JSON.stringify(light)}`, "light colors");
}

async function upload(engine: Engine, { stored }: World, name: string): Promise<void> {
  const file = `${name}.txt`;
  await open(engine, `${files}?p=docs/`);
  await withChosenFile(engine, file, "sent by a button", async () => {
    await see(engine, ".object-row", file);
    await see(engine, "h2", "1 file uploaded");
  });
  assert.equal(await stored(`docs/${file}`), "sent by a button");
}

async function share(engine: Engine): Promise<void> {
  await open(engine, files);
  await click(engine, "button", "Actions for table.csv");
  await click(engine, "[role=menuitem]", "Share…");
  await click(engine, "dialog button", "Create link");
  await see(engine, "dialog h2", "The link is ready");
  const link = await engine.evaluate<string>("document.querySelector('dialog input[readonly]').value");
  await open(engine, new URL(link).pathname);
  await see(engine, "h1", "table.csv");
}

async function send(engine: Engine, { shares, stored }: World, name: string): Promise<void> {
  const file = `${name}.txt`;
  await open(engine, shares.upload);
  await withChosenFile(
    engine,
    file,
    "sent by a link",
    () => see(engine, "main", "Everything has been sent."),
  );
  assert.equal(await stored(`inbox/${file}`), "sent by a link");
}

async function speakGerman(engine: Engine): Promise<void> {
  await open(engine, "/me");
  await click(engine, "button", "Deutsch");
  await see(engine, "html[lang=de] h1", "Ihr Konto");
  await open(engine, "/");
  await see(engine, "h1", "Übersicht");
}

/** Has the page take a file of that name and content from the disk, where it stays until `body` is done. */
async function withChosenFile(
  engine: Engine,
  name: string,
  content: string,
  body: () => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "chosen-" });
  try {
    const path = join(directory, name);
    await Deno.writeTextFile(path, content);
    await engine.chooseFile("input[type=file]:not([webkitdirectory])", path);
    await body();
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

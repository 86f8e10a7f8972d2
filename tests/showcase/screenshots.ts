import { join } from "node:path";
import type { Browser } from "playwright-core";
import { withBrowser, withPage } from "../support/browser.ts";
import type { Client } from "../support/http_client.ts";
import { openPage } from "../support/looks.ts";
import { type Scene, scenes } from "./scenes.ts";
import { type Stage, withStage } from "./stage.ts";

// Takes a picture of every page in both themes, wide and narrow: `deno task screenshots [directory]`.

const sizes = [{ width: 1280, height: 800 }, { width: 360, height: 740 }];

async function takePictures(directory: string, wanted: RegExp): Promise<void> {
  await Deno.mkdir(directory, { recursive: true });
  await withStage((stage) =>
    withBrowser(async (browser) => {
      const sessions = new Map<string, Client>();
      for (const scene of scenes(stage).filter(({ name }) => wanted.test(name))) {
        const { user = "admin" } = scene;
        if (user !== null && !sessions.has(user)) sessions.set(user, await stage.program.signedIn(user));
        await takeScene(stage, browser, scene, sessions.get(user ?? ""), directory);
      }
    })
  );
}

async function takeScene(
  { program }: Stage,
  browser: Browser,
  { name, path, prepare, isBusy, expectedErrors }: Scene,
  session: Client | undefined,
  directory: string,
): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const viewport of sizes) {
      await withPage(program, { browser, session, colorScheme, viewport, expectedErrors }, async (page) => {
        await page.emulateMedia({ reducedMotion: "reduce" });
        await openPage(page, path);
        await prepare?.(page);
        if (!isBusy) await page.waitForLoadState("networkidle");
        const file = join(directory, `${name}-${viewport.width}-${colorScheme}.png`);
        await page.screenshot({ path: file });
      });
    }
  }
}

if (import.meta.main) {
  const [directory = "dist/screenshots", wanted = ""] = Deno.args;
  await takePictures(directory, new RegExp(wanted));
}

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { skipBrowser } from "../support/browser.ts";
import { type IdentityProvider, withIdentityProvider } from "../support/identity_provider.ts";
import { landOn } from "../support/looks.ts";
import { startPathProxy } from "../support/path_proxy.ts";
import { testPassword } from "../support/program.ts";
import { singleSignOnOptions } from "../support/single_sign_on.ts";
import { browsing, open } from "./browsing.ts";
import { basePath, signIn, visiting, type Walk, work } from "./path_prefix.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR42mP4z8AAQv8BAA8DAf+kP2oXAAAAAElFTkSuQmCC",
  "base64",
);
/** One folder for each walk. */
const folders = ["one", "two"];

const samples = {
  ...Object.fromEntries(
    folders.flatMap((folder) => [
      [`${folder}/a.txt`, { body: "alpha" }],
      [`${folder}/b.txt`, { body: "beta" }],
      [`${folder}/old/x.txt`, {}],
    ]),
  ),
  "picture.png": { body: png, type: "image/png" },
  "report.pdf": { body: "%PDF-1.4\n%%EOF\n", type: "application/pdf" },
};

/** Every page, for those who may see all of them. */
const pages = [
  "/",
  "/b/local",
  "/b/local/files",
  "/b/local/files?p=one/&o=one/a.txt&tab=info",
  "/b/local/files?view=grid",
  "/b/local/files/settings/general",
  "/b/local/files/settings/cors",
  "/b/local/files/insights",
  "/search?q=a",
  "/transfers",
  "/shares",
  "/credentials",
  "/me",
  "/admin/usage",
  "/admin/health",
  "/admin/backends",
  "/admin/users",
  "/admin/credentials",
  "/admin/audit",
];

Deno.test({
  name: "below a path of its host, behind a proxy that knows nothing else, everything works",
  ignore: skipBrowser(),
  fn: (t) => {
    const people = { ada: { sub: "0001", preferred_username: "ada", groups: ["storage-admins"] } };
    return withIdentityProvider({ users: people, clientSecret: null }, async (idp) => {
      await using passing = await startPathProxy(basePath, { strips: false });
      await using stripping = await startPathProxy(basePath, { strips: true });
      const publicUrl = passing.url;
      idp.register(publicUrl);
      const walks = [["passes it on", passing, "one"], ["takes it away", stripping, "two"]] as const;
      const { config } = singleSignOnOptions(idp, {
        config: {
          server: { public_url: `${publicUrl}/` },
          s3_proxy: { enabled: true, listen: "127.0.0.1:0" },
          ratelimit: { share_per_minute: 0 },
        },
      });
      await browsing({ samples, config }, async ({ program }) => {
        for (const [name, proxy, folder] of walks) {
          proxy.pass(program.url);
          const place = `/b/local/files?p=${folder}/`;
          const walk = { proxy, publicUrl, folder, place, at: (path: string) => proxy.url + path };
          await t.step(`the proxy ${name}: from sign-in to sign-out`, () => work(walk));
          if (proxy === stripping) await t.step("every page", () => crawl(walk));
        }
        await t.step("single sign-on", () => signInElsewhere({ proxy: passing }, idp));
      });
    });
  },
});

/** Looks at all pages: whatever in them has an address is below the path, also what nobody clicks here. */
function crawl(walk: Walk): Promise<void> {
  const { at } = walk;
  return visiting(walk, [], async (page) => {
    await open(page, at("/login"));
    await signIn(page, testPassword);
    await landOn(page, at("/"));
    for (const path of pages) {
      await open(page, at(path));
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
      const addresses = await page.evaluate(
        `[...document.querySelectorAll("[href], [src], [action], [poster]")]
        .flatMap((element) => ["href", "src", "action", "poster"].map((name) => element.getAttribute(name)))
        .filter((address) => address !== null)`,
      ) as string[];
      assert.ok(addresses.length > 20, path);
      const outside = addresses.filter((address) =>
        ![basePath, walk.proxy.url].some((front) => address.startsWith(`${front}/`)) &&
        !/^(?:#|\?|https:\/\/|blob:|data:|$)/.test(address)
      );
      assert.deepEqual(outside, [], path);
    }
  });
}

function signInElsewhere(walk: Pick<Walk, "proxy">, idp: IdentityProvider): Promise<void> {
  return visiting(walk, [], async (page) => {
    const at = (path: string) => walk.proxy.url + path;
    await open(page, at("/login?next=/admin/users"));
    await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
    await page.waitForURL(`${idp.issuer}/interaction/**`);
    await page.getByLabel("User name").fill("ada");
    await page.getByRole("button", { name: "Continue" }).click();
    await landOn(page, at("/admin/users"));
    await page.getByRole("button", { name: "Account: ada" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${idp.issuer}/session/end**`);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await landOn(page, at("/login"));
    await page.getByRole("link", { name: "Deutsch" }).click();
    await landOn(page, at("/login"));
    await page.getByRole("heading", { name: "Anmelden" }).waitFor();
  });
}

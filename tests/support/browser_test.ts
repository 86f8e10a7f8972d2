import assert from "node:assert/strict";
import { accessibilityFaults, skipBrowser, withPage } from "./browser.ts";
import { Client } from "./http_client.ts";

/** Serves one page under a policy that allows scripts from its own origin only. */
async function withSite<T>(html: string, body: (url: string) => Promise<T>): Promise<T> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ url }) =>
      new URL(url).pathname === "/"
        ? new Response(html, {
          headers: { "content-type": "text/html", "content-security-policy": "default-src 'self' data:" },
        })
        : new Response("throw new Error('from a script')", {
          headers: { "content-type": "text/javascript" },
        }),
  );
  try {
    return await body(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** Opens the page and returns what accessibility faults it has. */
function look(html: string, expectedErrors: RegExp[] = []): Promise<string[]> {
  return withSite(
    html,
    (url) =>
      withPage(
        { url, signedIn: () => Promise.resolve(new Client(url)) },
        { expectedErrors },
        async (page) => {
          await page.goto("/");
          return await accessibilityFaults(page);
        },
      ),
  );
}

const icon = '<link rel="icon" href="data:,">';
const fine = `<!doctype html><html lang="en"><title>Fine</title>${icon}<h1>Fine</h1>`;

Deno.test({
  name: "a page without faults passes; faults of every kind fail the test",
  ignore: skipBrowser(),
  async fn() {
    assert.deepEqual(await look(fine), []);
    await assert.rejects(
      look(`${fine}<script>1</script>`),
      /content security policy: script-src-elem blocked inline/,
    );
    await assert.rejects(look(`${fine}<script src="/script.js"></script>`), /from a script/);
    await assert.rejects(look(`${fine}<img alt="" src="http://127.0.0.1:1/x.png">`), /img-src/);
    await look(`${fine}<script src="/script.js"></script>`, [/from a script/]);
    assert.match((await look(`${fine}<button></button>`)).join(), /button-name/);
  },
});

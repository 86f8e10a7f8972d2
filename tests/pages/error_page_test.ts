import assert from "node:assert/strict";
import type { PageDeps } from "../../src/pages/deps.ts";
import { errorPage } from "../../src/pages/error_page.ts";
import { Shell } from "../../src/pages/shell.ts";
import { StaticFiles } from "../../src/pages/static_files.ts";
import { Problem, tooMany } from "../../src/problem.ts";
import { Database } from "../../src/store/database.ts";
import { withProgram } from "../support/program.ts";

// Without a principal the shell asks for the time and nothing else.
const shell = new Shell(await StaticFiles.load(), { clock: () => 0 } as unknown as PageDeps);

async function render(problem: Problem, url = "http://localhost/somewhere") {
  const request = new Request(url);
  const response = errorPage(shell, problem, { request, requestId: "request-1", principal: null });
  return { response, text: await response.text() };
}

for (
  const [status, title] of [
    [400, "This did not work"],
    [403, "You may not see this page"],
    [404, "Page not found"],
    [500, "The server ran into a problem"],
    [502, "The storage backend did not answer"],
    [503, "The service cannot do this right now"],
    [504, "The storage backend did not answer"],
  ] as const
) {
  Deno.test(`a problem with status ${status} is a page of its own`, async () => {
    const { response, text } = await render(new Problem(status, "code", "The <reason>."));
    assert.equal(response.status, status);
    assert.ok(text.includes(`<h1>${title}</h1>`), text);
    assert.ok(text.includes("Request request-1"));
    assert.doesNotMatch(text, /<reason>/);
  });
}

Deno.test("a limit says when to come back, a restart that it is one", async () => {
  const { response } = await render(tooMany(7, "Slow down."));
  assert.equal(response.headers.get("retry-after"), "7");
  const { text } = await render(new Problem(503, "shutting_down", "The server is restarting."));
  assert.match(text, /The service is restarting/);
});

Deno.test("trying again leads to the same page of this service, never to another one", async () => {
  const retryAt = async (url: string) =>
    /<a class="button button-primary" href="([^"]*)"/.exec((await render(tooMany(7, "Wait."), url)).text)
      ?.[1];
  assert.equal(await retryAt("http://localhost/b/one?p=a/&q=x"), "/b/one?p=a/&amp;q=x");
  for (const path of ["//evil.example/login", "/\\evil.example/", "/x/..//evil.example"]) {
    assert.equal(await retryAt(`http://localhost${path}`), "/", path);
  }
});

Deno.test("an error whose page cannot be made is told all the same", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    const database = new Database(program.databasePath);
    database.run("DROP TABLE pins");
    database.close();
    const answer = await client.get("/nowhere", { headers: { accept: "text/html" } });
    assert.equal(answer.status, 500);
    assert.equal((await answer.json()).error.code, "internal");
    assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  }));

import assert from "node:assert/strict";
import { contentSecurityPolicy } from "../../src/pages/html_response.ts";
import { backendId, bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { type Client, json, status } from "../support/http_client.ts";
import { assertInert } from "../support/inert_page.ts";
import { testPassword } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";

const markup = `<img src=x onerror=alert(1)>"'&`;
const script = "<script>alert(1)</script>";
const formula = `=HYPERLINK("https://evil.example","click")`;
const key = `${markup}.txt`;
const folder = `${markup} folder/`;
/** The end of a script element in it makes this one a folder of a folder. */
const scriptKey = `</script>${script}`;

/** Puts hostile text everywhere that people and programs without rights can. Returns the paths of two links. */
async function plant({ client, program, bucket, upload }: TestBucket) {
  for (const name of [key, `${folder}${markup}`, scriptKey, formula, "@SUM(A1)"]) await upload(name, "text");
  await json(
    client.post("/api/admin/backends", {
      json: { id: "odd", name: `${script}${markup}`, type: "s3v4", endpoint: "http://127.0.0.1:1" },
    }),
    201,
  );
  for (const agent of [`${script}${markup}`, formula, "-1+1", "@SUM(A1)"]) {
    const headers = { "user-agent": agent };
    const credentials = { username: "admin", password: "wrong" };
    await status(program.client().post("/auth/login/local", { json: credentials, headers }));
    await status(client.get(`/api/backends/${encodeURIComponent(script)}/buckets`, { headers }));
    await status(
      client.delete(`${bucket}/object?key=${encodeURIComponent(key)}&version_id=${script}`, { headers }),
    );
  }
  const share = async (key: string) => {
    const body = { backend_id: backendId, bucket: bucketName, key, note: `${script}${markup}` };
    return `/s/${(await json(client.post("/api/shares", { json: body }), 201)).code}`;
  };
  await upload(key, "text");
  return { object: await share(key), folder: await share(folder) };
}

async function requirePlain(client: Client, path: string): Promise<void> {
  const response = await client.get(path, { headers: { accept: "text/html" } });
  const text = await response.text();
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/, path);
  assert.equal(response.headers.get("content-security-policy"), contentSecurityPolicy, path);
  assertInert(text, path);
  assert.doesNotMatch(text, /<img|<script>/i, path);
}

Deno.test("what strangers have named is text on every page, and no formula in the file", async (t) => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (test) => {
      const { client, program } = test;
      const links = await plant(test);
      const text = encodeURIComponent(`${script}${markup}`);
      const browse = `/b/${backendId}/${bucketName}`;
      const pages = [
        "/",
        "/shares?scope=all",
        `/shares?bucket=${text}`,
        "/admin/audit",
        `/admin/audit?key=${text}&user=${text}&action=${text}&bucket=${text}&from=${text}`,
        "/admin/usage",
        "/admin/health",
        "/admin/backends",
        "/admin/users",
        "/b/odd",
        `/b/${backendId}?q=${text}`,
        browse,
        `${browse}?p=${encodeURIComponent(folder)}&q=${text}`,
        `${browse}?o=${encodeURIComponent(key)}`,
        `${browse}?p=${encodeURIComponent("</script>")}`,
        `/b/${text}`,
        `/b/${backendId}/${text}`,
        `/${text}`,
      ];
      for (const path of pages) await t.step(path.slice(0, 40), () => requirePlain(client, path));
      await t.step("/me", async () => {
        const visitor = program.client();
        const headers = { "user-agent": `${script}${markup}` };
        const credentials = { username: "admin", password: testPassword };
        await json(visitor.post("/auth/login/local", { json: credentials, headers }));
        await requirePlain(visitor, "/me");
      });
      const strangers = [
        `/login?next=${text}&error=${text}&reason=${text}&request_id=${text}&register=${text}`,
        `/${text}`,
        `/s/${text}`,
        links.object,
        links.folder,
        `${links.object}?error=${text}`,
      ];
      for (const path of strangers) {
        await t.step(`${path.slice(0, 40)}, seen by a stranger`, () => requirePlain(program.client(), path));
      }
      await t.step("what is no page is not taken for one", async () => {
        for (const path of [`/api/search?q=${text}`, "/api/admin/audit", `/api/${text}`, `/auth/${text}`]) {
          const answer = await client.get(path, { headers: { accept: "text/html" } });
          await answer.body?.cancel();
          assert.match(answer.headers.get("content-type") ?? "", /^application\/json/, path);
          assert.equal(answer.headers.get("x-content-type-options"), "nosniff", path);
        }
      });
      await t.step("no cell of the audit's file begins like a formula", async () => {
        const answer = await client.get("/api/admin/audit.csv");
        const file = await answer.text();
        assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/);
        assert.match(answer.headers.get("content-disposition") ?? "", /^attachment/);
        const cells = [...file.matchAll(/(?:^|,|\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)]
          .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
        assert.ok(cells.includes(`'${formula}`) && cells.includes("'@SUM(A1)") && cells.includes("'-1+1"));
        assert.deepEqual(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell)), []);
      });
    }));
});

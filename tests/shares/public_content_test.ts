import assert from "node:assert/strict";
import { bucketName, withBucket } from "../support/bucket.ts";
import { type Client, refusal, status } from "../support/http_client.ts";
import type { ProgramOptions } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { accessRows, downloadCount, type MadeShare, share } from "./public_share.ts";

const unlimited: ProgramOptions = { config: { ratelimit: { share_per_minute: 0 } } };
const content = "0123456789".repeat(1000);

const raw = (recipient: Client, { path }: MadeShare, headers: Record<string, string> = {}) =>
  recipient.get(`${path}/raw`, { headers });

upstreamTest(
  ["minio", "versitygw"],
  "recipients get what is shared, each download is counted once, and nothing else is told",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const recipient = test.program.client();
      await test.upload("private folder/report.txt", content, "text/plain");
      await test.upload("file.bin", content);
      await test.upload("other.bin", content.replaceAll("0", "x"));
      const link = await share(test, "private folder/report.txt");

      await context.step("whole, with a name, in a sandbox, found by nobody", async () => {
        const answer = await raw(recipient, link);
        assert.equal(answer.status, 200);
        assert.equal(await answer.text(), content);
        const { headers } = answer;
        assert.equal(
          headers.get("content-disposition"),
          `attachment; filename="report.txt"; filename*=UTF-8''report.txt`,
        );
        assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none';/);
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        assert.equal(headers.get("x-robots-tag"), "noindex, nofollow");
        assert.equal(headers.get("referrer-policy"), "no-referrer");
        assert.equal(headers.get("cache-control"), "private, no-store, no-transform");
        assert.equal(headers.get("content-type"), "text/plain");
        assertDiscreet(headers);
      });
      await context.step("a HEAD, a condition and a range", async () => {
        const head = await recipient.request("HEAD", `${link.path}/raw`);
        assert.equal(head.status, 200);
        assert.equal(head.headers.get("content-length"), "10000");
        const etag = head.headers.get("etag") ?? "";
        assert.equal(await status(raw(recipient, link, { "if-none-match": etag })), 304);
        assert.equal(
          await refusal(raw(recipient, link, { "if-match": '"other"' })),
          "412 precondition_failed",
        );
        const late = await raw(recipient, link, { range: "bytes=10000-" });
        assert.equal(await refusal(late), "416 bad_range");
        const part = await raw(recipient, link, { range: "bytes=5-9" });
        assert.equal(part.status, 206);
        assert.equal(part.headers.get("content-range"), "bytes 5-9/10000");
        assert.equal(await part.text(), "56789");
        assert.equal(await downloadCount(test, link), 1);
      });
      await context.step("a share that is for saving cannot be turned into one that is shown", async () => {
        const inline = await share(test, "private folder/report.txt", { disposition: "inline" });
        const disposition = async ({ path }: MadeShare, query: string) => {
          const { headers, body } = await recipient.get(`${path}/raw?disposition=${query}`);
          await body?.cancel();
          return headers.get("content-disposition")?.split(";")[0];
        };
        assert.equal(await disposition(link, "inline"), "attachment");
        assert.equal(await disposition(inline, "attachment"), "attachment");
        assert.equal(await disposition(inline, "inline"), "inline");
        assert.equal(await refusal(recipient.get(`${link.path}/raw?disposition=x`)), "400 bad_request");
      });
      await context.step("what is stored as a page never runs nor is drawn", async () => {
        for (const type of ["text/html", "image/svg+xml"]) {
          await test.upload("page", "<script>alert(1)</script>", type);
          const page = await share(test, "page", { disposition: "inline" });
          const { headers, body } = await raw(recipient, page);
          await body?.cancel();
          assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none';/);
          assert.doesNotMatch(headers.get("content-security-policy") ?? "", /script-src|allow-/);
          assert.match(headers.get("content-disposition") ?? "", /^attachment;/, type);
        }
      });
      await context.step("what is stored as code is not taken into a page, of ours or another", async () => {
        await test.upload("code.js", "alert(1)", "text/javascript");
        const code = await share(test, "code.js", { disposition: "inline" });
        for (const destination of ["script", "serviceworker", "worker", "style"]) {
          const headers = { "sec-fetch-dest": destination };
          assert.equal(await refusal(raw(recipient, code, headers)), "403 forbidden", destination);
          const own = test.client.get(test.object("code.js"), { headers });
          assert.equal(await refusal(own), "403 forbidden", destination);
        }
        for (const destination of ["document", "empty", "image"]) {
          assert.equal(await status(raw(recipient, code, { "sec-fetch-dest": destination })), 200);
        }
        assert.equal(await downloadCount(test, code), 3);
        const page = await (await recipient.get(code.path)).text();
        const script = /<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? "";
        assert.equal(await status(recipient.get(script, { headers: { "sec-fetch-dest": "script" } })), 200);
      });
      await context.step("a name cannot inject headers", async () => {
        const key = 'dir/ü"b\r\nset-cookie: x=1\r\n.txt';
        await test.upload(key, "content");
        const { headers, body } = await raw(recipient, await share(test, key));
        await body?.cancel();
        assert.ok(!headers.getSetCookie().some((cookie) => cookie.startsWith("x=1")));
        assert.equal(
          headers.get("content-disposition"),
          `attachment; filename="__b__set-cookie: x=1__.txt"; filename*=UTF-8''%C3%BC%22b__set-cookie%3A%20x%3D1__.txt`,
        );
      });
      await context.step("what is gone from the bucket is not there", async () => {
        await test.upload("short-lived", "x");
        const gone = await share(test, "short-lived");
        assert.equal(await status(test.client.delete(test.object("short-lived"))), 204);
        const answer = await raw(recipient, gone);
        const { headers } = answer;
        const text = await answer.text();
        assert.equal(answer.status, 404);
        assert.doesNotMatch(text, /bucket|backend|NoSuch|detail/i);
        assertDiscreet(headers);
        assert.equal(headers.get("x-robots-tag"), "noindex, nofollow");
        assert.equal(await downloadCount(test, gone), 0);
        assert.equal(await refusal(recipient.get(`${link.path}/raw?path=../secret`)), "404 not_found");
      });
      await context.step("a shared version stays the one that was shared", async () => {
        const versioning = { json: { enabled: true } };
        assert.equal(await status(test.client.put(`${test.bucket}/versioning`, versioning)), 200);
        await test.upload("versioned", "first");
        const info = await test.client.get(`${test.bucket}/object/info?key=versioned`);
        const { version_id } = await info.json();
        const pinned = await share(test, "versioned", { version_id });
        await test.upload("versioned", "second");
        const answer = await raw(recipient, pinned);
        assert.equal(await answer.text(), "first");
        assertDiscreet(answer.headers);
        assert.equal(await (await raw(recipient, await share(test, "versioned"))).text(), "second");
      });
      await context.step("forty at once against a cap of five", async () => {
        const link = await share(test, "file.bin", { max_downloads: 5 });
        const answers = await Promise.all(Array.from({ length: 40 }, async () => {
          const answer = await raw(test.program.client(), link);
          const text = await answer.text();
          if (answer.status === 200) assert.equal(text, content);
          else assert.equal(JSON.parse(text).error.code, "exhausted");
          return answer.status;
        }));
        assert.deepEqual(answers.toSorted(), [...Array(5).fill(200), ...Array(35).fill(410)]);
        assert.equal(await downloadCount(test, link), 5);
        assert.equal(await refusal(test.program.client().get(`${link.path}/info`)), "410 exhausted");
        const results = (await accessRows(test)).slice(0, 41).map(({ detail }) => detail.result);
        assert.equal(results.filter((result) => result === "ok").length, 5);
        assert.equal(results.filter((result) => result === "exhausted").length, 36);
      });
      await context.step("what goes on with a download, also beyond the cap", async () => {
        const link = await share(test, "file.bin", { max_downloads: 1 });
        const recipient = test.program.client();
        // As players do: the first two bytes, then all, then what they jump to.
        for (const range of ["bytes=0-1", "bytes=0-", "bytes=5000-", "bytes=-10", "bytes=0-9999"]) {
          const part = await raw(recipient, link, { range });
          assert.equal(part.status, 206, range);
          await part.body?.cancel();
        }
        assert.equal(await downloadCount(test, link), 1);
        assert.equal(await refusal(raw(recipient, link)), "410 exhausted");
        // More than one range, or none that makes sense, is a request for the whole.
        for (const range of ["bytes=0-1,3-4", "bytes=9-5", "lines=0-1"]) {
          assert.equal(await refusal(raw(recipient, link, { range })), "410 exhausted", range);
        }
        const stranger = test.program.client();
        assert.equal(await refusal(raw(stranger, link, { range: "bytes=5000-" })), "410 exhausted");
        assert.equal(await downloadCount(test, link), 1);
      });
      await context.step("a range without the cookie, and the whole with it, count", async () => {
        const link = await share(test, "file.bin");
        const recipient = test.program.client();
        for (let count = 1; count <= 3; count++) {
          const stranger = test.program.client();
          assert.equal(await status(raw(stranger, link, { range: "bytes=100-199" })), 206);
          assert.equal(await downloadCount(test, link), count);
        }
        assert.equal(await status(raw(recipient, link)), 200);
        assert.equal(await status(raw(recipient, link)), 200);
        assert.equal(await status(raw(recipient, link, { range: "bytes=0-9", "if-range": '"other"' })), 200);
        assert.equal(await downloadCount(test, link), 6);
      });
      await context.step("the cookie is good for nothing else", async () => {
        const first = await share(test, "file.bin", { max_downloads: 1 });
        const second = await share(test, "other.bin", { max_downloads: 1 });
        const same = await share(test, "file.bin", { max_downloads: 1 });
        const thief = test.program.client();
        assert.equal(await status(raw(thief, first)), 200);
        assert.equal(thief.cookies.size, 1);
        for (const link of [second, same]) {
          assert.equal(await status(raw(test.program.client(), link)), 200);
          assert.equal(await refusal(raw(thief, link, { range: "bytes=1-" })), "410 exhausted");
        }
        const [[name, value]] = thief.cookies;
        for (
          const forged of [value.slice(0, -1), `9${value}`, value.replace(".", ".x"), `${value}x`, "..", ""]
        ) {
          const headers = { range: "bytes=1-", cookie: `${name}=${forged}` };
          assert.equal(await refusal(raw(thief, first, headers)), "410 exhausted", forged);
        }
        assert.equal(await status(raw(thief, first, { range: "bytes=1-" })), 206);
        // Another object in its place is another download.
        await test.upload("file.bin", `${content}!`);
        assert.equal(await refusal(raw(thief, first, { range: "bytes=1-" })), "410 exhausted");
        await test.upload("file.bin", content);
      });
      await context.step("the cookie is for scripts of nobody and for this link alone", async () => {
        const link = await share(test, "file.bin");
        const secure = { "x-forwarded-proto": "https" };
        const answer = await raw(test.program.client(), link, secure);
        await answer.body?.cancel();
        const [cookie] = answer.headers.getSetCookie();
        assert.match(cookie, /^service_download_\d+=[^;]+; /);
        assert.match(
          cookie,
          new RegExp(`; Path=/s/${link.code}; SameSite=Lax; Max-Age=600; HttpOnly; Secure$`),
        );
        const answer2 = await raw(test.program.client(), link);
        await answer2.body?.cancel();
        assert.doesNotMatch(answer2.headers.getSetCookie()[0], /Secure/);
      });
      await context.step("what ends a share ends a download at its next range", async () => {
        const link = await share(test, "file.bin");
        const recipient = test.program.client();
        const rest = () => raw(recipient, link, { range: "bytes=5000-" });
        assert.equal(await status(raw(recipient, link)), 200);
        assert.equal(await status(rest()), 206);
        const change = (json: unknown) => status(test.client.patch(`/api/shares/${link.id}`, { json }));
        assert.equal(await change({ password: "open sesame" }), 200);
        assert.equal(await refusal(rest()), "401 password_required");
        assert.equal(await change({ password: null }), 200);
        assert.equal(await status(rest()), 206);
        assert.equal(await status(test.client.delete(`/api/shares/${link.id}`)), 204);
        assert.equal(await refusal(rest()), "410 revoked");
        assert.equal(await refusal(recipient.get(`${link.path}/info`)), "410 revoked");
      });
    }, unlimited),
);

/** Throws when the headers of an answer tell where the content comes from. */
function assertDiscreet(headers: Headers): void {
  for (const [name, value] of headers) {
    assert.doesNotMatch(name, /^x-amz|^x-minio|^server$/);
    assert.doesNotMatch(`${name}: ${value}`, new RegExp(`${bucketName}|private folder|versionid|minio`, "i"));
  }
}

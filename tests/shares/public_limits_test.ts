import assert from "node:assert/strict";
import { withBucket } from "../support/bucket.ts";
import { refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { accessRows, downloadCount, share, unlock } from "./public_share.ts";

const password = "open sesame";

/** Headers by which a request seems to come from somewhere else. */
const from = (ip: string) => ({ "x-forwarded-for": ip });

upstreamTest(
  ["minio"],
  "guessing is slow, whatever is guessed and from wherever",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { program } = test;
      await test.upload("folder/file.txt", "0123456789");

      await context.step("ten requests a minute from one address, over all paths and codes", async () => {
        const recipient = program.client();
        const link = await share(test, "folder/file.txt", { password });
        const requests = [
          () => recipient.get(`${link.path}/info`),
          () => unlock(recipient, link, "wrong"),
          () => recipient.get(`${link.path}/raw`),
          () => recipient.get(`/s/${"A".repeat(22)}/info`),
          () => recipient.get(`/s/none/raw`),
        ];
        for (const request of [...requests, ...requests]) assert.notEqual(await status(request()), 429);
        for (const request of [...requests, () => unlock(recipient, link, password)]) {
          const answer = await request();
          const seconds = Number(answer.headers.get("retry-after"));
          assert.equal(await refusal(answer), "429 rate_limited");
          assert.ok(seconds > 0 && seconds <= 60, `${seconds}`);
        }
        assert.equal((await accessRows(test, 1))[0].detail.result, "rate_limited");
        assert.equal(await refusal(program.client().get(`${link.path}/info`)), "401 password_required");
      });
      await context.step("one network of IPv6 is one address", async () => {
        for (let index = 0; index < 10; index++) {
          const headers = from(`2001:db8:1:2::${index}`);
          assert.equal(await status(program.client().get("/s/none/info", { headers })), 404);
        }
        const headers = from("2001:db8:1:2:ffff::1");
        assert.equal(await status(program.client().get("/s/none/info", { headers })), 429);
      });
      await context.step("a stranger says nothing about keys in the audit", async () => {
        await status(program.client().get("/s/none/raw?key=folder/forged.txt"));
        const [row] = await accessRows(test, 1);
        assert.deepEqual([row.key, row.bucket, row.detail.result], ["", "", "not_found"]);
      });
      await context.step("going on with a download spends nothing", async () => {
        const link = await share(test, "folder/file.txt");
        const recipient = program.client();
        assert.equal(await status(recipient.get(`${link.path}/raw`)), 200);
        for (let index = 0; index < 30; index++) {
          const headers = { range: `bytes=${index % 10}-` };
          assert.equal(await status(recipient.get(`${link.path}/raw`, { headers })), 206);
        }
        for (let index = 0; index < 9; index++) {
          assert.equal(await status(recipient.get(`${link.path}/raw`)), 200, `${index}`);
        }
        assert.equal(await status(recipient.get(`${link.path}/raw`)), 429);
        // A range of the whole, which is answered by the whole, is no way around it.
        const headers = { range: "bytes=0-1,2-3" };
        assert.equal(await status(recipient.get(`${link.path}/raw`, { headers })), 429);
        assert.equal(await downloadCount(test, link), 10);
      });
      await context.step("looking through a folder has a limit of its own", async () => {
        const folder = await share(test, "folder/");
        const recipient = program.client();
        for (let index = 0; index < 60; index++) {
          assert.equal(await status(recipient.get(`${folder.path}/list`)), 200);
        }
        assert.equal(await status(recipient.get(`${folder.path}/list`)), 429);
        assert.equal(await status(recipient.get(`${folder.path}/info`)), 200);
      });
      await context.step(
        "twenty wrong passwords for one share, from whatever addresses at once",
        async () => {
          const link = await share(test, "folder/file.txt", { password });
          const other = await share(test, "folder/file.txt", { password });
          const early = program.client();
          assert.equal(await status(unlock(early, link, password)), 204);
          const guesses = await Promise.all(
            Array.from(
              { length: 30 },
              (_, index) => status(unlock(program.client(), link, `guess ${index}`)),
            ),
          );
          assert.equal(
            guesses.filter((answer) => answer === 401).length,
            20,
            guesses.join(),
          );
          assert.equal(guesses.filter((answer) => answer === 429).length, 10, guesses.join());
          const answer = await unlock(program.client(), link, password);
          const seconds = Number(answer.headers.get("retry-after"));
          assert.ok(seconds > 60 && seconds <= 900, `${seconds}`);
          assert.equal(await refusal(answer), "429 rate_limited");
          assert.equal(await status(early.get(`${link.path}/raw`)), 200, "who has given it is not hindered");
          assert.equal(await status(unlock(program.client(), other, password)), 204);
        },
      );
    }),
);

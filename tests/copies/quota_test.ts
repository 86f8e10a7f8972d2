import assert from "node:assert/strict";
import { json, refusal } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import {
  copied,
  type CopyEnd,
  type CopyStage,
  copyTest,
  mebibyte,
  pattern,
  transferTest,
} from "./copy_stage.ts";

for (const register of [copyTest, transferTest]) {
  register(
    "copies keep to the quota of their target, and moves give back that of their source",
    async (stage) => {
      const { source, target, copy, client } = stage;
      const targetPath = register === copyTest ? target.path.replace("/to/", "/from/") : target.path;
      const limit = (path: string, bytes: number) =>
        json(client.put(`${path}/quota`, { json: { soft_bytes: 0, hard_bytes: bytes } }));
      const usage = async (path: string) => (await json(client.get(`${path}/quota`))).usage_bytes;
      const size = 10 * mebibyte;
      await source.put("a", pattern(size));
      await source.put("b", pattern(1000));
      await limit(source.path, 100 * mebibyte);
      await limit(targetPath, size + 1000);

      await copied(copy({ src_key: "b", dst_key: "small" }));
      await copied(copy({ src_key: "a", dst_key: "large" }));
      assert.equal(await usage(targetPath), size + 1000);
      for (const src_key of ["a", "b"]) {
        assert.equal(await refusal(copy({ src_key, dst_key: "more", move: true })), "507 quota_exceeded");
      }
      assert.deepEqual(await target.keys(), ["large", "small"]);
      assert.deepEqual(await source.keys(), ["a", "b"]);
      assert.equal(await target.uploads(), 0);
      assert.equal(await usage(targetPath), size + 1000);

      await limit(targetPath, 3 * size);
      const before = await usage(source.path);
      assert.equal(before, size + 1000);
      await copied(copy({ src_key: "a", dst_key: "large", move: true }));
      assert.equal(await usage(source.path), 1000);
      assert.equal(await usage(targetPath), size + 1000);
      await requireNoReservation(stage, target, targetPath);
    },
  );
}

/** What is left of the quota can be used to the last byte. */
async function requireNoReservation({ client }: CopyStage, target: CopyEnd, path: string): Promise<void> {
  const { hard_bytes, usage_bytes } = await json(client.get(`${path}/quota`));
  const body = pattern(hard_bytes - usage_bytes);
  await json(client.post(`${path}/object?key=rest`, { body }), 201);
  await until(async () => (await target.keys()).includes("rest"), { what: "the rest to be stored" });
}

import assert from "node:assert/strict";
import { copied, digest, mebibyte, pattern, putInParts, transferTest } from "./copy_stage.ts";

transferTest("transfers keep everything about an object", async ({ source, target, copy }, context) => {
  const described = {
    ContentType: "text/plain; charset=utf-8",
    CacheControl: "max-age=60, private",
    ContentDisposition: 'attachment; filename="a.txt"',
    ContentEncoding: "gzip",
    ContentLanguage: "de, en",
    Expires: new Date("2030-01-31T00:00:00Z"),
    Metadata: { plain: "value", encoded: "=?UTF-8?B?R3LDvMOfZQ==?=" },
    Tagging: "colour=red%20%2B%20blue&team%3Aname=a%2Fb%40c",
  };
  const requireKept = async (key: string) => {
    const [before, after] = await Promise.all([source.head(key), target.head(key)]);
    const fields = [
      "ContentLength",
      "ContentType",
      "CacheControl",
      "ContentDisposition",
      "ContentEncoding",
      "ContentLanguage",
      "ExpiresString",
      "Metadata",
    ] as const;
    for (const field of fields) assert.deepEqual(after[field], before[field], `${key} ${field}`);
    assert.deepEqual(await target.tags(key), { "colour": "red + blue", "team:name": "a/b@c" });
    assert.equal(digest(await target.read(key)), digest(await source.read(key)), key);
    return { before, after };
  };

  for (const size of [0, 1, 8 * mebibyte]) {
    await context.step(`of ${size} bytes`, async () => {
      const key = `at once ${size}`;
      const checksum = size === 1 ? "SHA256" : "CRC32C";
      await source.put(key, pattern(size), { ...described, ChecksumAlgorithm: checksum });
      const answer = await copied(copy({ src_key: key, dst_key: key }));
      const { before, after } = await requireKept(key);
      const { etag, ...rest } = answer;
      assert.equal(`"${etag}"`, before.ETag);
      assert.deepEqual(rest, {
        key,
        size,
        content_type: described.ContentType,
        bucket: target.bucket,
        backend: target.backend,
        moved: false,
      });
      assert.equal(after.ETag, before.ETag);
      assert.equal(after.ChecksumSHA256, before.ChecksumSHA256);
      assert.equal(after.ChecksumCRC32C, before.ChecksumCRC32C);
      assert.ok(before.ChecksumSHA256 ?? before.ChecksumCRC32C);
    });
  }

  await context.step("larger than what is held, with the checksum of the whole", async () => {
    const key = "large";
    await source.put(key, pattern(40 * mebibyte + 7), { ...described, ChecksumAlgorithm: "CRC32" });
    await copied(copy({ src_key: key, dst_key: key }));
    const { before, after } = await requireKept(key);
    assert.match(after.ETag ?? "", /-3"$/);
    assert.ok(before.ChecksumCRC32);
    assert.equal(after.ChecksumCRC32, before.ChecksumCRC32);
  });

  await context.step("in parts, which stay as they are", async () => {
    const content = pattern(17 * mebibyte);
    const checksums = [
      {},
      { ChecksumAlgorithm: "CRC32", ChecksumType: "FULL_OBJECT" },
      { ChecksumAlgorithm: "CRC64NVME", ChecksumType: "FULL_OBJECT" },
      { ChecksumAlgorithm: "SHA256", ChecksumType: "COMPOSITE" },
    ] as const;
    for (const [index, checksum] of checksums.entries()) {
      const key = `parts ${index}`;
      await putInParts(source, key, content, [6, 6, 5].map((size) => size * mebibyte), {
        ...described,
        ...checksum,
      });
      await copied(copy({ src_key: key, dst_key: key }));
      const { before, after } = await requireKept(key);
      assert.equal(after.ETag, before.ETag);
      for (const name of ["ChecksumCRC32", "ChecksumCRC64NVME", "ChecksumSHA256"] as const) {
        if (index > 0) assert.equal(after[name], before[name], `${key} ${name}`);
      }
    }
  });

  await context.step("in a single small part, and in parts of several sizes", async () => {
    await putInParts(source, "one part", pattern(1000), [1000], described);
    await copied(copy({ src_key: "one part", dst_key: "one part" }));
    const { before, after } = await requireKept("one part");
    assert.equal(after.ETag, before.ETag);
    await putInParts(source, "uneven", pattern(20 * mebibyte), [5, 8, 7].map((n) => n * mebibyte), described);
    await copied(copy({ src_key: "uneven", dst_key: "uneven" }));
    await requireKept("uneven");
  });
  assert.equal(await target.uploads(), 0);
});

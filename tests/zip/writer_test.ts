import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { ZipWriter } from "../../src/zip/writer.ts";
import { readArchive, readDirectory, readFile, texts } from "./readers.ts";

const modifiedAt = new Date("2024-05-01T12:30:42Z");
const encode = (text: string) => new TextEncoder().encode(text);

async function collect(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(pieces));
}

async function* streamOf(...parts: string[]) {
  for (const part of parts) yield encode(part);
}

Deno.test("readers find files, streams of known and unknown size, and folders", async () => {
  const writer = new ZipWriter();
  const archive = await readArchive(
    await collect(async function* () {
      yield writer.addFolder({ name: "docs/", modifiedAt });
      yield writer.addFile({ name: "docs/ü 日本.txt", modifiedAt }, encode("hello"));
      yield* writer.addStream({ name: "known", modifiedAt }, streamOf("one ", "two"), 7);
      yield* writer.addStream({ name: "unknown", modifiedAt }, streamOf("three"));
      yield writer.addFile({ name: "empty", modifiedAt: new Date(0) }, new Uint8Array(0));
      yield* writer.finish();
    }()),
  );
  assert.deepEqual(archive.damaged, []);
  assert.deepEqual(texts(archive), {
    "docs/": "",
    "docs/ü 日本.txt": "hello",
    known: "one two",
    unknown: "three",
    empty: "",
  });
  assert.deepEqual(archive.entries.map(({ mode, isFolder }) => [mode.toString(8), isFolder]), [
    ["40755", true],
    ["100644", false],
    ["100644", false],
    ["100644", false],
    ["100644", false],
  ]);
  assert.equal(archive.entries[1].modified, "2024-05-01T12:30:42");
  assert.equal(archive.entries[4].modified, "1980-01-01T00:00:00");
});

Deno.test("a stream that fails becomes a damaged entry, and the others stay good", async () => {
  const writer = new ZipWriter();
  const failure = new Error("broken off");
  let thrown: unknown;
  const archive = await readArchive(
    await collect(async function* () {
      yield writer.addFile({ name: "before", modifiedAt }, encode("good"));
      const broken = async function* () {
        yield encode("the first half");
        throw failure;
      };
      try {
        yield* writer.addStream({ name: "broken", modifiedAt }, broken(), 30);
      } catch (error) {
        thrown = error;
      }
      yield* writer.addStream({ name: "after", modifiedAt }, streamOf("good too"), 8);
      yield* writer.finish();
    }()),
  );
  assert.equal(thrown, failure);
  assert.deepEqual(archive.damaged, ["broken"]);
  assert.equal(texts(archive).after, "good too");
});

Deno.test("more entries than 16 bits can count", async () => {
  const writer = new ZipWriter();
  const { entries } = await readDirectory(
    await collect(function* () {
      for (let index = 0; index < 65_536; index++) {
        yield writer.addFile({ name: `f${index}`, modifiedAt }, new Uint8Array(0));
      }
      yield* writer.finish();
    }()),
  );
  assert.equal(entries.length, 65_536);
});

Deno.test("an entry of more than 4 GiB, and what comes after it", async () => {
  const size = 2 ** 32 + 12_345;
  const path = await Deno.makeTempFile({ suffix: ".zip" });
  try {
    using file = await Deno.open(path, { write: true });
    const zeros = new Uint8Array(16 << 20);
    const content = async function* () {
      for (let left = size; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
    };
    const writer = new ZipWriter();
    const pieces = async function* () {
      yield* writer.addStream({ name: "large", modifiedAt }, content(), size);
      yield writer.addFile({ name: "after", modifiedAt }, encode("beyond 4 GiB"));
      yield* writer.finish();
    };
    for await (const piece of pieces()) {
      // Zeros become a hole in the file, so that the test takes no room on the disk.
      if (piece.length > 1_000) await file.seek(piece.length, Deno.SeekMode.Current);
      else await file.write(piece);
    }
    const { entries } = await readFile(path, false);
    assert.deepEqual(entries.map(({ name, size }) => [name, size]), [["large", size], ["after", 12]]);
    assert.equal(entries[1].text, "beyond 4 GiB");
  } finally {
    await Deno.remove(path);
  }
});

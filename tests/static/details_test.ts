import assert from "node:assert/strict";
import { arnOf, contentUrl, s3Uri } from "../../static/lib/details/addresses.js";
import { BulkRun } from "../../static/lib/details/bulk_run.js";
import { contentTypeOf } from "../../static/lib/details/content_types.js";
import {
  faultyPart,
  metadataBytes,
  metadataFaults,
  pairsOf,
  recordOf,
  sameRecords,
  tagFaults,
} from "../../static/lib/details/pairs.js";
import { isPrivateHost } from "../../static/lib/details/private_host.js";
import { deletedObjects, objectsAt } from "../../static/lib/versions/as_of.js";
import { sideBySide } from "../../static/lib/versions/side_by_side.js";

Deno.test("details: addresses of an object", () => {
  assert.equal(
    contentUrl("/api/b", "a/ü&.txt", "inline"),
    "/api/b/object?key=a/%C3%BC%26.txt&disposition=inline",
  );
  assert.equal(
    contentUrl("/x", "a", "attachment", "v+1"),
    "/x/object?key=a&disposition=attachment&version_id=v%2B1",
  );
  assert.equal(s3Uri("b", "/a"), "s3://b//a");
  assert.equal(arnOf("b", "a"), "arn:aws:s3:::b/a");
});

Deno.test("details: pasted lines become names and values", () => {
  assert.deepEqual(pairsOf("a=1\r\n b : two words \n\nc\n=x\nurl=http://h/?q=1"), [
    { name: "a", value: "1" },
    { name: "b", value: "two words" },
    { name: "c", value: "" },
    { name: "", value: "x" },
    { name: "url", value: "http://h/?q=1" },
  ]);
  assert.deepEqual(recordOf([{ name: "__proto__", value: "x" }, { name: "", value: "" }]), {
    ["__proto__"]: "x",
  });
  assert.ok(sameRecords({ a: "1", b: "2" }, { b: "2", a: "1" }));
  assert.ok(!sameRecords({ a: "1" }, { a: "1", b: "" }));
});

Deno.test("details: what is wrong with tags and metadata", () => {
  const tags = [
    { name: "ok", value: "Größe 1/2" },
    { name: "ok", value: "" },
    { name: "", value: "x" },
    { name: "aws:x", value: "" },
    { name: "n".repeat(129), value: "" },
    { name: "v", value: "v".repeat(257) },
    { name: "<b>", value: "" },
    { name: "", value: "" },
    { name: "project", value: "grün 😀" },
  ];
  assert.deepEqual([...tagFaults(tags)], [
    [1, "twice"],
    [2, "no_name"],
    [3, "reserved"],
    [4, "name_too_long"],
    [5, "value_too_long"],
    [6, "name_characters"],
    [8, "value_characters"],
  ]);
  assert.deepEqual([...tagFaults(tags).values()].map(faultyPart), [
    "name",
    "name",
    "name",
    "name",
    "value",
    "name",
    "value",
  ]);
  const metadata = [{ name: "Author", value: "Ada" }, { name: "author", value: "" }, {
    name: "a b",
    value: "",
  }, {
    name: "c",
    value: "x\ny",
  }];
  assert.deepEqual([...metadataFaults(metadata)], [[1, "twice"], [2, "header_name"], [3, "control"]]);
  assert.deepEqual([...metadataFaults(metadata).values()].map(faultyPart), ["name", "name", "value"]);
  assert.equal(metadataBytes({ author: "Ada" }), 9);
  assert.equal(metadataBytes({ a: "ü" }), 1 + 12 + 4);
});

Deno.test("details: content types by extension", () => {
  assert.equal(contentTypeOf("a/b.HTML"), "text/html; charset=utf-8");
  assert.equal(contentTypeOf("a.b/c"), null);
  assert.equal(contentTypeOf("constructor"), null);
});

Deno.test("details: hosts that others cannot reach", () => {
  for (
    const host of [
      "localhost",
      "127.0.0.1",
      "10.1.2.3",
      "192.168.0.4",
      "172.20.0.1",
      "[::1]",
      "[fd00::1]",
      "minio",
      "s3.lan",
    ]
  ) {
    assert.ok(isPrivateHost(host), host);
  }
  for (const host of ["s3.amazonaws.com", "8.8.8.8", "172.32.0.1", "[2001:db8::1]", "internal.example.org"]) {
    assert.ok(!isPrivateHost(host), host);
  }
});

Deno.test("details: a run over many goes on after a failure, stops when told, and retries what failed", async () => {
  let failing = true;
  const seen: number[] = [];
  const run = new BulkRun((item: number) => {
    seen.push(item);
    return item % 5 === 0 && failing ? Promise.reject(new Error(`no ${item}`)) : Promise.resolve();
  });
  await run.start([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual([run.state.value, run.done.value, run.failures.value.map(({ item }) => item)], [
    "done",
    8,
    [5, 10],
  ]);
  failing = false;
  await run.retry();
  assert.deepEqual([run.done.value, run.failures.value.length, run.total.value], [2, 0, 2]);
  const stopped = new BulkRun((item: number) => {
    if (item === 1) stopped.stop();
    return Promise.resolve();
  });
  await stopped.start(Array.from({ length: 100 }, (_, index) => index));
  assert.equal(stopped.state.value, "stopped");
  assert.ok(stopped.done.value < 10);
});

function version(key: string, id: string, day: number, more = {}) {
  return {
    key,
    version_id: id,
    is_latest: false,
    is_delete_marker: false,
    size: 1,
    etag: "",
    last_modified: `2026-01-${String(day).padStart(2, "0")}T00:00:00.000Z`,
    ...more,
  };
}

const history = [
  version("a", "a2", 5, { is_latest: true }),
  version("a", "a1", 2),
  version("b", "b2", 6, { is_latest: true, is_delete_marker: true }),
  version("b", "b1", 1),
  version("c", "c3", 8, { is_latest: true, is_delete_marker: true }),
  version("c", "c2", 7, { is_delete_marker: true }),
  version("c", "c1", 3),
  version("d", "d1", 9, { is_latest: true }),
];

Deno.test("versions: a folder as it was at a time", () => {
  const at = (day: number) =>
    objectsAt(history, Date.parse(version("", "", day).last_modified)).map(({ version, since, marker }) =>
      `${version.version_id} ${since}${marker ? ` ${marker.version_id}` : ""}`
    );
  assert.deepEqual(at(1), ["b1 deleted b2"]);
  assert.deepEqual(at(3), ["a1 changed", "b1 deleted b2", "c1 deleted"]);
  assert.deepEqual(at(10), ["a2 same", "d1 same"]);
  assert.deepEqual(
    deletedObjects(history).map(({ version, marker }) => [version.version_id, marker?.version_id]),
    [
      ["b1", "b2"],
      ["c1", undefined],
    ],
  );
});

Deno.test("versions: a comparison side by side", () => {
  const line = (kind: "same" | "removed" | "added", text: string) => ({ kind, text, before: 1, after: 1 });
  const [same, gone, gone2, fresh] = [
    line("same", "a"),
    line("removed", "b"),
    line("removed", "c"),
    line("added", "d"),
  ];
  assert.deepEqual(sideBySide([same, gone, gone2, fresh, null]), [
    [same, same],
    [gone, fresh],
    [gone2, null],
    null,
  ]);
});

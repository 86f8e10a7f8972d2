import assert from "node:assert/strict";
import { bucketTotals, quotaOf } from "../../static/lib/places/bucket_totals.js";
import {
  firstPage,
  nextPage,
  previousPage,
  type TablePage,
  tablePageOf,
  tableSearch,
} from "../../static/lib/browse/table/table_place.js";
import { isSamePlace, placeDetail, placeName, placePage } from "../../static/lib/places/pins.js";
import { parseScope, scopeText, searchPage } from "../../static/lib/places/search_scope.js";
import { bytesOf } from "../../static/lib/places/size_field.js";
import { vendorOf } from "../../static/lib/places/vendor.js";
import { places } from "../../static/i18n/en/places.js";
import { setLanguage } from "../../static/lib/i18n.js";

setLanguage("en", places);

Deno.test("a quota: how a bucket stands to it", () => {
  const stateOf = (soft_bytes: number, hard_bytes: number, size_bytes?: number) =>
    quotaOf({ name: "a", quota: { soft_bytes, hard_bytes }, size_bytes }).state;
  assert.equal(quotaOf({ name: "a", size_bytes: 5 }).state, "none");
  assert.equal(stateOf(0, 0, 5), "none");
  assert.equal(stateOf(0, 100), "unknown");
  assert.deepEqual([stateOf(0, 100, 89), stateOf(0, 100, 90), stateOf(0, 100, 100)], ["ok", "near", "over"]);
  assert.deepEqual([stateOf(50, 100, 50), stateOf(50, 100, 51)], ["ok", "near"]);
  assert.deepEqual([stateOf(50, 0, 44), stateOf(50, 0, 50), stateOf(50, 0, 51)], ["ok", "near", "over"]);
});

Deno.test("totals: what is counted, as old as its oldest part, and who is over a cap", () => {
  const quota = { soft_bytes: 5, hard_bytes: 0 };
  const buckets = [
    { name: "a", size_bytes: 10, object_count: 2, computed_at: "2026-01-02T00:00:00Z", quota },
    { name: "b", size_bytes: 1, object_count: 1, computed_at: "2026-01-01T00:00:00Z", quota },
    { name: "c" },
  ];
  assert.deepEqual(bucketTotals(buckets), {
    count: 3,
    counted: 2,
    bytes: 11,
    objects: 3,
    asOf: "2026-01-01T00:00:00Z",
    alerts: ["a"],
  });
  assert.equal(bucketTotals([]).asOf, null);
});

Deno.test("scopes of a search: as addresses have them", () => {
  for (const text of ["", "main", "main/files", "main/files/a//b/"]) {
    assert.equal(scopeText(parseScope(text)), text);
  }
  assert.deepEqual(parseScope("main//x"), { backend: "main", bucket: "", prefix: "" });
  assert.equal(searchPage("a&b", parseScope("main/files/x y/")), "/search?q=a%26b&scope=main/files/x%20y/");
  assert.equal(searchPage("", parseScope("")), "/search");
});

Deno.test("sizes that are typed", () => {
  const bytes = (amount: string, power = 3) => bytesOf({ amount, power });
  assert.deepEqual([bytes(""), bytes(" 1 "), bytes("0,5"), bytes("1.5", 2)], [
    0,
    2 ** 30,
    2 ** 29,
    1_572_864,
  ]);
  for (const wrong of ["x", "-1", "1e3", "1,000", "1.000", "1 000"]) {
    assert.ok(Number.isNaN(bytes(wrong)), wrong);
  }
});

Deno.test("vendors, by the host of an endpoint", () => {
  assert.equal(vendorOf("s3.eu-central-1.amazonaws.com").mark, "AWS");
  assert.equal(vendorOf("minio.example.com:9000").name, "MinIO");
  assert.equal(vendorOf("amazonaws.com.example.org").mark, "S3");
  assert.equal(vendorOf(undefined).mark, "S3");
});

Deno.test("pinned places: where they lead, and how they are called", () => {
  const bucket = { backend_id: "main", bucket: "files" };
  const folder = { ...bucket, prefix: "logs//50% #1/" };
  const filter = { ...folder, filter: "a&b" };
  const search = { ...folder, search: "err or" };
  const everywhere = { backend_id: "", bucket: "", search: "report" };
  assert.deepEqual([bucket, folder, filter, search, everywhere].map(placePage), [
    "/b/main/files",
    "/b/main/files?p=logs//50%25%20%231/",
    "/b/main/files?p=logs//50%25%20%231/&q=a%26b",
    "/search?q=err%20or&scope=main/files/logs//50%25%20%231/",
    "/search?q=report",
  ]);
  const names = [bucket, folder, { ...bucket, prefix: "a//" }, filter, everywhere].map(placeName);
  assert.deepEqual(names, ["files", "50% #1", "a//", "“a&b”", "“report”"]);
  const details = [bucket, folder, { ...bucket, prefix: "a/" }, filter].map((place) =>
    placeDetail(place, "Main")
  );
  assert.deepEqual(details, ["Main", "files/logs/ · Main", "files · Main", "files/logs//50% #1 · Main"]);
  assert.equal(placeDetail(everywhere, undefined), "Everything");
  assert.ok(isSamePlace(bucket, { ...bucket, prefix: "", filter: "" }));
  assert.ok(!isSamePlace(folder, filter) && !isSamePlace(filter, search));
});

Deno.test("the plain table: each page has an address, which knows the way back", () => {
  const place = { prefix: "a b/", filter: "" };
  const first = tablePageOf("?rows=1000&list=table");
  assert.deepEqual(first, { rows: 1000, number: 1, token: "", trail: [], asked: true, patient: false });
  const third = nextPage(nextPage(first, "t/1=="), "t&2");
  const address = tableSearch(place, third);
  assert.equal(address, "?p=a%20b/&list=table&rows=1000&page=3&token=t%262&back=&back=t/1%3D%3D");
  assert.deepEqual(tablePageOf(address), third);
  const second = previousPage(third);
  assert.equal(second?.token, "t/1==");
  assert.deepEqual(previousPage(second ?? first), first);
  assert.equal(previousPage(first), null);
  assert.deepEqual(firstPage(third), first);
  assert.deepEqual(tablePageOf("?rows=7&page=x"), { ...first, rows: 100, asked: false });
  const patient = tablePageOf("?list=table&wait=1");
  assert.equal(tableSearch(place, firstPage(nextPage(patient, "t"))), "?p=a%20b/&list=table&wait=1");
  let far: TablePage = first;
  for (let page = 0; page < 100; page++) far = nextPage(far, "x".repeat(200) + page);
  assert.equal(far.number, 101);
  assert.ok(tableSearch(place, far).length < 6000, "it stays short enough for any proxy");
});

import assert from "node:assert/strict";
import { nameOrder, titleOf } from "../../static/lib/browse/address.js";
import { arranged, bucketNameProblem } from "../../static/lib/browse/bucket_list.js";
import { folderNameProblem } from "../../static/lib/browse/folder_dialog.js";
import { Listing } from "../../static/lib/browse/listing.js";
import { browse } from "../../static/i18n/en/browse.js";
import { buckets } from "../../static/i18n/en/buckets.js";
import { setLanguage, t } from "../../static/lib/i18n.js";

setLanguage("en", { ...browse, ...buckets });

function page(names: string[], token?: string) {
  return {
    prefix: "p/",
    common_prefixes: names.filter((name) => name.endsWith("/")).map((name) => `p/${name}`),
    objects: names.filter((name) => !name.endsWith("/")).map((name, index) => ({
      key: `p/${name}`,
      size: 10 - index,
    })),
    is_truncated: token !== undefined,
    next_continuation_token: token,
  };
}

const shown = (listing: Listing, filter = "") => listing.rows(filter).map(({ name }) => name).join(" ");

Deno.test("listing: pages come together, folders first, in the order that is wanted", () => {
  const listing = new Listing("p/", "", nameOrder);
  assert.equal(listing.complete, false, "nothing has been asked for yet");
  listing.append(page(["a", "b/", "c"], "more"));
  assert.deepEqual([shown(listing), listing.complete, listing.token], ["b a c", false, "more"]);
  listing.append(page(["d", "e/", "f"]));
  assert.deepEqual([shown(listing), listing.complete], ["b e a c d f", true]);
  listing.sortBy({ field: "name", descending: true });
  assert.equal(shown(listing), "e b f d c a");
  listing.sortBy({ field: "size", descending: false });
  assert.equal(shown(listing), "b e c f a d");
});

Deno.test("listing: a filter finds text anywhere in what is here, also of a part", () => {
  const listing = new Listing("p/", "", nameOrder);
  listing.append(page(["Report", "report", "my-report", "other"], "more"));
  assert.equal(shown(listing, "rep"), "Report my-report report");
  listing.append(page([]));
  assert.equal(shown(listing, "rep"), "Report my-report report");
});

Deno.test("listing: what the server finds by its beginning joins what is here with the text elsewhere, once", () => {
  const whole = new Listing("p/", "", nameOrder);
  whole.append(page(["a-rep", "a-rep-folder/", "other", "rep-1"], "more"));
  const found = new Listing("p/", "rep", nameOrder);
  found.takeOver(whole);
  found.append(page(["rep-1", "rep-2"], "more"));
  assert.equal(shown(found, "rep"), "a-rep-folder a-rep rep-1 rep-2");
  found.append(page(["rep-3", "rep-folder/"]));
  assert.equal(shown(found, "rep"), "a-rep-folder rep-folder a-rep rep-1 rep-2 rep-3");
  for (const key of ["p/z-rep", "p/other-2", "p/x-REP/deep", "p/other/rep"]) {
    found.put({ key, size: 1, modified: 0 });
  }
  assert.equal(shown(found, "rep"), "a-rep-folder rep-folder x-REP a-rep rep-1 rep-2 rep-3 z-rep");
  const narrower = new Listing("p/", "rep-", { field: "name", descending: true });
  narrower.takeOver(found);
  assert.equal(shown(narrower, "rep-"), "rep-folder a-rep-folder rep-3 rep-2 rep-1");
  const again = new Listing("p/", "rep", nameOrder);
  again.takeOver(found);
  const unrelated = new Listing("p/", "a", nameOrder);
  unrelated.takeOver(found);
  assert.equal(
    again.length + unrelated.length,
    0,
    "listed anew, or found of other names, it holds nothing of before",
  );
});

Deno.test("listing: what was stored goes where it belongs, once", () => {
  const listing = new Listing("p/", "", nameOrder);
  listing.append(page(["b", "d"]));
  const put = (key: string) => listing.put({ key, size: 1, modified: 0 });
  for (const key of ["p/c", "p/c", "p/x/deep/file", "p/x/other", "elsewhere", "p/"]) put(key);
  assert.equal(shown(listing), "x b c d");
  listing.remove(new Set(["p/x/", "p/b"]));
  assert.equal(shown(listing), "c d");
});

Deno.test("listing: what was stored beyond the last page that was listed comes with its page", () => {
  const listing = new Listing("p/", "", nameOrder);
  listing.append(page(["b", "d"], "more"));
  listing.put({ key: "p/z", size: 1, modified: 0 });
  listing.put({ key: "p/c", size: 1, modified: 0 });
  assert.equal(shown(listing), "b c d");
});

Deno.test("titles: the folder, the bucket, the backend", () => {
  assert.equal(titleOf("a/b/", "files", "Local"), "b · files · Local");
  assert.equal(titleOf("", "files", "Local"), "files · Local");
});

Deno.test("names: what is wrong with a folder's", () => {
  assert.equal(folderNameProblem("p/", "new"), "");
  assert.match(folderNameProblem("", "//"), /Enter/);
  assert.match(folderNameProblem("", "a\0b"), /NUL/);
  assert.match(folderNameProblem("", "é".repeat(512)), /has 1,025/);
});

Deno.test("names: what is wrong with a bucket's", () => {
  for (const name of ["abc", "my.bucket-1", "a".repeat(63)]) assert.equal(bucketNameProblem(name), "", name);
  for (
    const name of [
      "ab",
      "a".repeat(64),
      "Upper",
      "under_score",
      "-a-",
      "a..b",
      "1.2.3.4",
      "xn--abc",
      "abc-s3alias",
    ]
  ) {
    const problem = bucketNameProblem(name);
    assert.ok(problem !== "", name);
    assert.match(t(problem), /^[A-Z].*\.$/, "a sentence");
  }
});

Deno.test("buckets: filtered and in order, equal ones by name", () => {
  const buckets = [
    { name: "b", size_bytes: 5 },
    { name: "a" },
    { name: "c", size_bytes: 5, created_at: "2026-01-01T00:00:00Z" },
  ];
  const order = (...how: [string, "name" | "created" | "size", boolean]) =>
    arranged(buckets, ...how).map(({ name }) => name).join("");
  assert.equal(order("", "name", true), "cba");
  assert.equal(order("", "size", true), "bca");
  assert.equal(order(" B ", "size", true), "b");
});

// @ts-check

/** Texts of the search page. */
export const search = /** @type {const} */ ({
  "search.title": "Search",
  "search.label": "Search buckets and objects",
  "search.placeholder": "Part of a bucket’s name, or the beginning of a key",
  "search.focus": "Go to the search box",
  "search.scope": "Where to search",
  "search.everywhere": "Everything",
  "search.in_backend": "All of {name}",
  "search.in_bucket": "Bucket {name}",
  "search.in_folder": "Folder {name}",
  "search.hint":
    "Finds buckets by any part of their name, and objects by the beginning of their key in the buckets that you have pinned or opened lately. In one bucket, every key can be searched through.",
  "search.needs_script": "Searching needs JavaScript.",
  "search.searching": {
    one: "Searching… {answered} of {n} backend has answered.",
    other: "Searching… {answered} of {n} backends have answered.",
  },
  "search.complete":
    "Buckets by name: complete. Keys by their beginning, in pinned and recent buckets: complete.",
  "search.complete_bucket": "Keys by their beginning, in this bucket: complete.",
  "search.complete_folder": "Keys by their beginning after the folder’s name, in this folder: complete.",
  "search.cut": "There is more than is shown. Type more, or search in one place.",
  "search.incomplete": "Complete, but for the backends named here.",
  "search.nothing": "Nothing found",
  "search.nothing_text": "No bucket’s name holds this text, and no key begins with it where was searched.",
  "search.backend_failed": "{name} was not searched to the end: {reason}",
  "search.choose_bucket": "Buckets to search through",
  "search.scan_choose": "Keys that contain “{query}” anywhere are found by going through one bucket:",
  "search.scan_offer": "Go through every key of {place} for those that contain “{query}” anywhere.",
  "search.scan_start": "Go through every key",
  "search.scanning": "Going through the keys",
  "search.scan_running": { one: "Scanned {n} key…", other: "Scanned {n} keys…" },
  "search.scan_so_far": { one: "Scanned {n} key so far.", other: "Scanned {n} keys so far." },
  "search.scan_done": {
    one: "Contains match: complete, {n} key scanned.",
    other: "Contains match: complete, {n} keys scanned.",
  },
  "search.scan_total": { one: "about {n} in all", other: "about {n} in all" },
  "search.scan_matches": { one: "{n} match", other: "{n} matches" },
  "search.keep_going": "Keep going",
  "search.scan_failed": "The scan broke off: {error}",
  "search.scan_full": {
    one: "Only the first match is kept. Search for a longer text to find others.",
    other: "Only the first {n} matches are kept. Search for a longer text to find others.",
  },
});

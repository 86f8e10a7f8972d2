// @ts-check

/** Texts of pinned places. */
export const places = /** @type {const} */ ({
  "places.quoted": "“{text}”",
  "places.everything": "Everything",
  "places.more": { one: "{n} more", other: "{n} more" },
  "places.pin_bucket": "Pin this bucket",
  "places.unpin_bucket": "Unpin this bucket",
  "places.pin_folder": "Pin this folder",
  "places.unpin_folder": "Unpin this folder",
  "places.pin_filter": "Pin this folder with its filter",
  "places.unpin_filter": "Unpin this folder with its filter",
  "places.pin_failed": "The pin could not be changed",
  "places.pinned": "{name} pinned",
  "places.unpinned": "{name} unpinned",
  "places.key_pin": "Pin what is shown, or unpin it",
  "places.save_search": "Save this search",
  "places.saved_searches": "Saved searches",
  "places.saved_search": "Saved",
  "places.unsave_search": "Remove this saved search",
});

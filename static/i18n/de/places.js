// @ts-check

/** @type {import("../translation.js").Translation<typeof import("../en/places.js").places>} */
export const places = {
  "places.quoted": "„{text}“",
  "places.everything": "Alles",
  "places.more": { one: "{n} weiterer", other: "{n} weitere" },
  "places.pin_bucket": "Diesen Bucket anheften",
  "places.unpin_bucket": "Diesen Bucket lösen",
  "places.pin_folder": "Diesen Ordner anheften",
  "places.unpin_folder": "Diesen Ordner lösen",
  "places.pin_filter": "Diesen Ordner mit Filter anheften",
  "places.unpin_filter": "Diesen Ordner mit Filter lösen",
  "places.pin_failed": "Das Anheften konnte nicht geändert werden",
  "places.pinned": "{name} angeheftet",
  "places.unpinned": "{name} gelöst",
  "places.key_pin": "Anheften, was angezeigt wird, oder lösen",
  "places.save_search": "Suche speichern",
  "places.saved_searches": "Gespeicherte Suchen",
  "places.saved_search": "Gespeichert",
  "places.unsave_search": "Gespeicherte Suche entfernen",
};

// @ts-check

/** @type {import("../translation.js").Translation<typeof import("../en/search.js").search>} */
export const search = {
  "search.title": "Suche",
  "search.label": "Buckets und Objekte suchen",
  "search.placeholder": "Teil eines Bucket-Namens oder Anfang eines Schlüssels",
  "search.focus": "Zum Suchfeld",
  "search.scope": "Wo gesucht wird",
  "search.everywhere": "Überall",
  "search.in_backend": "Alles in {name}",
  "search.in_bucket": "Bucket {name}",
  "search.in_folder": "Ordner {name}",
  "search.hint":
    "Findet Buckets nach einem Teil ihres Namens und Objekte nach dem Anfang ihres Schlüssels in den Buckets, die Sie angeheftet oder zuletzt geöffnet haben. In einem Bucket lassen sich alle Schlüssel durchsuchen.",
  "search.needs_script": "Die Suche erfordert JavaScript.",
  "search.searching": {
    one: "Suche läuft\u00a0… {answered} von {n} Backend hat geantwortet.",
    other: "Suche läuft\u00a0… {answered} von {n} Backends haben geantwortet.",
  },
  "search.complete":
    "Buckets nach Namen: vollständig. Schlüssel nach ihrem Anfang, in angehefteten und zuletzt geöffneten Buckets: vollständig.",
  "search.complete_bucket": "Schlüssel nach ihrem Anfang, in diesem Bucket: vollständig.",
  "search.complete_folder":
    "Schlüssel nach ihrem Anfang hinter dem Ordnernamen, in diesem Ordner: vollständig.",
  "search.cut": "Es gibt mehr, als hier angezeigt wird. Geben Sie mehr ein oder suchen Sie an einem Ort.",
  "search.incomplete": "Vollständig, bis auf die hier genannten Backends.",
  "search.nothing": "Nichts gefunden",
  "search.nothing_text":
    "In den durchsuchten Buckets enthält kein Bucket-Name diesen Text und beginnt kein Schlüssel damit.",
  "search.backend_failed": "{name} wurde nicht vollständig durchsucht: {reason}",
  "search.choose_bucket": "Buckets zum Durchsuchen",
  "search.scan_choose": "Schlüssel, die „{query}“ irgendwo enthalten, finden Sie in jeweils einem Bucket:",
  "search.scan_offer":
    "Alle Schlüssel von {place} nach solchen durchsuchen, die „{query}“ irgendwo enthalten.",
  "search.scan_start": "Alle Schlüssel durchsuchen",
  "search.scanning": "Schlüssel werden durchsucht",
  "search.scan_running": { one: "{n} Schlüssel durchsucht\u00a0…", other: "{n} Schlüssel durchsucht\u00a0…" },
  "search.scan_so_far": {
    one: "Bisher {n} Schlüssel durchsucht.",
    other: "Bisher {n} Schlüssel durchsucht.",
  },
  "search.scan_done": {
    one: "Enthält den Text: vollständig, {n} Schlüssel durchsucht.",
    other: "Enthält den Text: vollständig, {n} Schlüssel durchsucht.",
  },
  "search.scan_total": { one: "etwa {n} insgesamt", other: "etwa {n} insgesamt" },
  "search.scan_matches": { one: "{n} Treffer", other: "{n} Treffer" },
  "search.keep_going": "Weitersuchen",
  "search.scan_failed": "Die Suche wurde abgebrochen: {error}",
  "search.scan_full": {
    one: "Nur der erste Treffer wird angezeigt. Suchen Sie nach einem längeren Text, um andere zu finden.",
    other:
      "Nur die ersten {n} Treffer werden angezeigt. Suchen Sie nach einem längeren Text, um andere zu finden.",
  },
};

// @ts-check

/** @type {import("../translation.js").Translation<typeof import("../en/palette.js").palette>} */
export const palette = {
  "palette.title": "Alles suchen oder öffnen",
  "palette.placeholder": "Bucket, Seite, Aktion oder s3://…",
  "palette.results": "Ergebnisse",
  "palette.none":
    "Nichts gefunden. Prüfen Sie die Schreibweise oder fügen Sie einen Pfad wie s3://bucket/key ein.",
  "palette.path": "Pfad",
  "palette.pins": "Angeheftet",
  "palette.recent": "Zuletzt geöffnet",
  "palette.actions": "Aktionen",
  "palette.pages": "Seiten",
  "palette.admin": "Verwaltung",
  "palette.backends": "Backends",
  "palette.buckets": "Buckets",
  "palette.search": "Suche",
  "palette.search_for": "In allen Buckets nach „{text}“ suchen",
  "palette.go_to": "Öffnen: {path}",
  "palette.failed": "Das hat nicht funktioniert",
  "palette.hint_move": "navigieren",
  "palette.hint_open": "öffnen",
  "palette.hint_close": "schließen",
  "palette.count": { one: "{n} Ergebnis", other: "{n} Ergebnisse" },
  "palette.path_label": "Pfad: bucket/key, s3://bucket/key, ein ARN oder eine Adresse",
  "palette.path_placeholder": "s3://bucket/key, ein ARN oder eine Adresse",
  "palette.no_bucket_named":
    "Das nennt keinen Bucket. Geben Sie bucket/key, s3://bucket/key oder einen ARN ein.",
  "palette.unknown_bucket": "Kein Backend hat einen Bucket namens {bucket}.",
  "palette.several_backends":
    "{backends} haben je einen Bucket namens {bucket}. Nennen Sie das Backend, etwa {example}.",
};

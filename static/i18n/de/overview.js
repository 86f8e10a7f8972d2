// @ts-check

/** @type {import("../translation.js").Translation<typeof import("../en/overview.js").overview>} */
export const overview = {
  "overview.title": "Übersicht",
  "overview.manage": "Backends verwalten",
  "overview.backends": { one: "{n} Speicher-Backend", other: "{n} Speicher-Backends" },
  "overview.unreachable": { one: "{n} nicht erreichbar", other: "{n} nicht erreichbar" },
  "overview.load_again": "Neu laden",
  "overview.no_answer": "Das Backend antwortet nicht.",
  "overview.copy_host": "Endpunkt von {name} kopieren",
  "overview.ask_why": "Fragen Sie einen Administrator nach dem Grund.",
  "overview.counting": "Wird gezählt\u00a0…",
  "overview.buckets_unknown": "Buckets unbekannt",
  "overview.buckets_of": "Buckets von {name}",
  "overview.all_buckets": { one: "{n} Bucket", other: "Alle {n} Buckets" },
  "overview.created": "angelegt {time}",
  "overview.size_not_tracked": "Größe nicht erfasst",
  "overview.of_counted": {
    one: "{counted} von {n} Bucket, Stand {time}",
    other: "{counted} von {n} Buckets, Stand {time}",
  },
  "overview.over_cap": {
    one: "{n} Bucket liegt über der Grenze:",
    other: "{n} Buckets liegen über der Grenze:",
  },
  "overview.pinned": "Angeheftete Orte",
  "overview.pinned_empty":
    "Heften Sie einen Bucket, einen Ordner oder eine Suche an, um sie hier schnell zu erreichen.",
  "overview.recent": "Zuletzt geöffnet",
  "overview.recent_empty": "Hier erscheinen die Buckets, die Sie öffnen.",
  "overview.pin": "{name} anheften",
  "overview.unpin": "{name} lösen",
  "overview.unpinned": "{name} gelöst",
  "overview.pin_failed": "Der Ort wurde nicht angeheftet",
  "overview.unpin_failed": "Der Ort wurde nicht gelöst",
  "overview.transfers": "Letzte Übertragungen",
  "overview.transfers_empty": "Hier erscheint, was Sie in größerer Menge kopieren, verschieben oder löschen.",
  "overview.all_transfers": "Alle Übertragungen",
  "overview.job_facts": "{figures} · {time}",
  "overview.storage": "Speicher nach Backend",
  "overview.storage_hint": "Zählt die Buckets, deren Größe erfasst wird oder die ein Kontingent haben.",
  "overview.storage_empty":
    "Noch wird von keinem Bucket die Größe erfasst. Schalten Sie die Größenerfassung im Menü eines Buckets ein.",
  "overview.empty_title": "Verbinden Sie Ihren ersten Speicher",
  "overview.empty_text":
    "Jeder S3-kompatible Dienst funktioniert: AWS, Cloudflare R2, Backblaze B2, Wasabi, MinIO, Garage, SeaweedFS, Ceph und andere.",
  "overview.connect_with": "Einen Dienst verbinden",
  "overview.connect": "Backend verbinden",
  "overview.empty_title_reader": "Noch ist kein Speicher verbunden",
  "overview.empty_text_reader":
    "Bitten Sie einen Administrator, ein Backend zu verbinden. Es erscheint dann hier.",
};

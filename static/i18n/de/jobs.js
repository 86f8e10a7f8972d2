// @ts-check

/** @type {import("../translation.js").Translation<typeof import("../en/jobs.js").jobs>} */
export const jobs = {
  "jobs.queued": "wartet",
  "jobs.running": "läuft",
  "jobs.stopping": "wird gestoppt",
  "jobs.done": "fertig",
  "jobs.failed": "fehlgeschlagen",
  "jobs.stopped": "gestoppt",
  "jobs.interrupted": "unterbrochen",
  "jobs.done_with_failures": { one: "fertig, {n} fehlgeschlagen", other: "fertig, {n} fehlgeschlagen" },
  "jobs.copy_title": "{from} wird nach {to} kopiert",
  "jobs.copy_title_over": "{from} nach {to} kopieren",
  "jobs.move_title": "{from} wird nach {to} verschoben",
  "jobs.move_title_over": "{from} nach {to} verschieben",
  "jobs.delete_some_title": {
    one: "{n} Element in {place} wird gelöscht",
    other: "{n} Elemente in {place} werden gelöscht",
  },
  "jobs.delete_some_title_over": {
    one: "{n} Element in {place} löschen",
    other: "{n} Elemente in {place} löschen",
  },
  "jobs.delete_title": "{place} wird gelöscht",
  "jobs.delete_title_over": "{place} löschen",
  "jobs.measure_title": "{place} messen",
  "jobs.of_objects": { one: "{done} von {n} Objekt", other: "{done} von {n} Objekten" },
  "jobs.of_bytes": "{done} von {total}",
  "jobs.skipped": { one: "{n} übersprungen", other: "{n} übersprungen" },
  "jobs.failed_count": { one: "{n} fehlgeschlagen", other: "{n} fehlgeschlagen" },
  "jobs.locked_until": {
    one: "{n} Version ist bis {time} gesperrt.",
    other: "{n} Versionen sind bis {time} gesperrt.",
  },
  "jobs.locked_last": {
    one: "{n} Version ist bis {time} gesperrt.",
    other: "{n} Versionen sind gesperrt, die letzte bis {time}.",
  },
  "jobs.locked_held": {
    one: "{n} Version wird aus rechtlichen Gründen aufbewahrt.",
    other: "{n} Versionen werden aus rechtlichen Gründen aufbewahrt.",
  },
  "jobs.locked_compliance":
    "Was im Modus COMPLIANCE gesperrt ist, kann vorher niemand löschen; wiederholen Sie es danach.",
  "jobs.locked_governance":
    "Was im Modus GOVERNANCE gesperrt ist, kann am Speicher löschen, wer die Sperre umgehen darf, oder hier nach ihrem Ende.",
  "jobs.locked_hold": "Ein Legal Hold muss am Speicher aufgehoben werden; wiederholen Sie es danach.",
  "jobs.id": "Auftrag {id}",
  "jobs.one_failed": "„{key}“: {message}",
  "jobs.some_failed": {
    one: "„{key}“ und {n} weiteres: {message}",
    other: "„{key}“ und {n} weitere: {message}",
  },
};

// @ts-check

/** @type {import("../translation.js").Translation<typeof import("../en/sign_in.js").sign_in>} */
export const sign_in = {
  "sign_in.product": "Speicher-Dashboard",
  "sign_in.language": "Sprache",
  "sign_in.title": "Anmelden",
  "sign_in.go_on": "Melden Sie sich an, um zu {page} zu gelangen.",
  "sign_in.single_sign_on": "Mit Single Sign-on anmelden",
  "sign_in.or": "oder",
  "sign_in.no_account": "Noch kein Konto?",
  "sign_in.create_one": "Konto anlegen",
  "sign_in.access_denied": "Der Identitätsanbieter hat Sie nicht zugelassen oder Sie haben abgebrochen.",
  "sign_in.provider_error":
    "Der Identitätsanbieter hat mit einem Fehler geantwortet. Versuchen Sie es noch einmal. Bleibt der Fehler, wenden Sie sich an einen Administrator.",
  "sign_in.provider_unavailable":
    "Der Identitätsanbieter ist nicht erreichbar. Versuchen Sie es gleich noch einmal.",
  "sign_in.state_invalid":
    "Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es noch einmal.",
  "sign_in.token_invalid":
    "Der Antwort des Identitätsanbieters ist nicht zu trauen. Versuchen Sie es noch einmal. Bleibt der Fehler, wenden Sie sich an einen Administrator.",
  "sign_in.user_disabled": "Ihr Konto ist deaktiviert. Ein Administrator kann es aktivieren.",
  "sign_in.single_sign_on_failed": "Single Sign-on hat nicht funktioniert. Versuchen Sie es noch einmal.",
  "sign_in.user_name": "Benutzername",
  "sign_in.password": "Passwort",
  "sign_in.session_ended": "Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren.",
  "sign_in.signed_out": "Sie sind abgemeldet.",
  "sign_in.locked": "Dieses Konto ist nach zu vielen falschen Passwörtern gesperrt.",
  "sign_in.limited": "Zu viele Anmeldeversuche von dieser Adresse.",
  "sign_in.try_later": "Versuchen Sie es in ein paar Minuten noch einmal.",
  "sign_in.try_in": "Neuer Versuch in {time}.",
  "sign_in.try_now": "Sie können es jetzt noch einmal versuchen.",
  "sign_in.failed": "Die Anmeldung hat nicht funktioniert. Versuchen Sie es noch einmal.",
  "sign_in.created": "Konto angelegt",
  "sign_in.must_enable": "Ein Administrator muss {name} aktivieren, bevor Sie sich anmelden können.",
  "sign_in.back": "Zurück zur Anmeldung",
  "sign_in.create_title": "Konto anlegen",
  "sign_in.create_needs_script": "Um ein Konto anzulegen, ist JavaScript erforderlich.",
  "sign_in.email": "E-Mail-Adresse",
  "sign_in.min_length": { one: "Mindestens {n} Zeichen.", other: "Mindestens {n} Zeichen." },
  "sign_in.create": "Konto anlegen",
  "sign_in.have_account": "Sie haben ein Konto?",
};

// @ts-check

/** @type {import("../translation.js").Translation<typeof import("../en/errors.js").errors>} */
export const errors = {
  "error.account_locked":
    "Dieses Konto ist zurzeit gesperrt. Warten Sie oder bitten Sie einen Administrator, es zu entsperren.",
  "error.backend_error":
    "Das Backend hat mit einem Fehler geantwortet. Versuchen Sie es noch einmal. Bleibt der Fehler, sagen Sie es einem Administrator.",
  "error.backend_refusal": "Am Backend ist etwas schiefgegangen.",
  "error.backend_silent":
    "Das Backend antwortet nicht. Versuchen Sie es noch einmal. Bleibt der Fehler, sagen Sie es einem Administrator.",
  "error.backend_unreachable": "Das Backend ist nicht erreichbar. {cause}",
  "error.backend_timeout":
    "Das Backend hat nicht rechtzeitig geantwortet. Versuchen Sie es gleich noch einmal.",
  "error.bucket_not_empty": "Der Bucket enthält noch Objekte. Leeren Sie ihn zuerst.",
  "error.csrf_invalid": "Diese Seite ist veraltet. Laden Sie sie neu und versuchen Sie es noch einmal.",
  "error.forbidden": "Das ist nicht erlaubt. Ein Administrator kann das ändern.",
  "error.internal":
    "Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es noch einmal. Bleibt der Fehler, nennen Sie einem Administrator die Anfrage-ID.",
  "error.invalid_credentials": "Benutzername oder Passwort ist falsch.",
  "error.mode_disabled": "Diese Art der Anmeldung ist ausgeschaltet.",
  "error.network":
    "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.",
  "error.password_change_required": "Ändern Sie zuerst Ihr Passwort.",
  "error.quota_exceeded": "Das Kontingent des Buckets reicht dafür nicht aus.",
  "error.secret_key_unset":
    "Der Server hat keinen Hauptschlüssel und kann deshalb keine geheimen Schlüssel speichern. Siehe SERVICE_SECRET_KEY.",
  "error.shutting_down": "Der Dienst startet neu. Versuchen Sie es gleich noch einmal.",
  "error.store_unavailable":
    "Die Datenbank des Servers ist nicht erreichbar. Versuchen Sie es gleich noch einmal.",
  "error.unauthorized": "Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren.",
  "error.bad_range": "Diesen Teil des Objekts gibt es nicht.",
  "error.bad_request": "Der Server hat die Anfrage nicht angenommen. Prüfen Sie die Eingaben.",
  "error.conflict":
    "Das verträgt sich nicht mit dem, was vorhanden ist oder gerade läuft. Laden Sie die Seite neu und versuchen Sie es noch einmal.",
  "error.email_taken": "Die E-Mail-Adresse ist vergeben.",
  "error.exhausted": "Dieser Link ist aufgebraucht.",
  "error.expired": "Dieser Link ist abgelaufen.",
  "error.id_taken": "Ein Backend mit dieser ID gibt es schon.",
  "error.invalid_bucket_name": "Diesen Namen kann ein Bucket nicht haben. Wählen Sie einen anderen.",
  "error.invalid_cors":
    "Die CORS-Regeln sind nicht gültig. Korrigieren Sie sie und speichern Sie noch einmal.",
  "error.invalid_key": "Diesen Schlüssel kann ein Objekt nicht haben. Wählen Sie einen anderen.",
  "error.invalid_lifecycle":
    "Die Lebenszyklus-Regeln sind nicht gültig. Korrigieren Sie sie und speichern Sie noch einmal.",
  "error.invalid_metadata":
    "Die Metadaten sind nicht gültig. Korrigieren Sie sie und speichern Sie noch einmal.",
  "error.invalid_policy":
    "Die Richtlinie ist nicht gültig. Korrigieren Sie sie und speichern Sie noch einmal.",
  "error.invalid_prefix": "Dieses Präfix ist hier nicht möglich. Wählen Sie ein anderes.",
  "error.invalid_quota": "Das Kontingent ist nicht gültig. Geben Sie eine andere Größe ein.",
  "error.invalid_storage_class": "Dieses Backend kennt die Speicherklasse nicht. Wählen Sie eine andere.",
  "error.invalid_tag": "Ein Tag ist nicht gültig. Korrigieren Sie es und speichern Sie noch einmal.",
  "error.last_admin": "Das ist der letzte aktive Administrator.",
  "error.length_required": "Der Upload nennt seine Größe nicht.",
  "error.method_not_allowed": "Das ist unter dieser Adresse nicht möglich.",
  "error.not_found": "Das Gesuchte gibt es nicht. Vielleicht wurde es gelöscht.",
  "error.not_local": "Das Passwort dieses Kontos liegt beim Identitätsanbieter.",
  "error.not_supported": "Das Backend unterstützt das nicht.",
  "error.object_exists":
    "Ein Objekt oder einen Ordner dieses Namens gibt es schon. Wählen Sie einen anderen Namen.",
  "error.object_locked": "Diese Version ist gegen das Löschen gesperrt.",
  "error.locked_until": "Diese Version ist bis {time} gesperrt.",
  "error.locked_and_held":
    "Diese Version ist bis {time} gesperrt und wird aus rechtlichen Gründen aufbewahrt.",
  "error.legal_hold": "Diese Version wird aus rechtlichen Gründen aufbewahrt (Legal Hold).",
  "error.oidc_failed": "Single Sign-on hat nicht funktioniert. Versuchen Sie es noch einmal.",
  "error.password_mismatch": "Das Passwort ist falsch. Versuchen Sie es noch einmal.",
  "error.password_required": "Dieser Link braucht zuerst sein Passwort.",
  "error.precondition_failed": "Es wurde inzwischen geändert. Laden Sie es neu.",
  "error.rate_limited": "Das waren zu viele Anfragen. Versuchen Sie es gleich noch einmal.",
  "error.revoked": "Dieser Link gilt nicht mehr.",
  "error.self_delete": "Niemand kann das eigene Konto löschen.",
  "error.self_role_change": "Niemand kann die eigene Rolle ändern.",
  "error.size_tracking_disabled":
    "Der Bucket wird nicht gezählt. Schalten Sie die Größenerfassung ein oder legen Sie ein Kontingent fest.",
  "error.static_user": "Dieses Konto ist in der Konfiguration festgelegt und kann nur dort geändert werden.",
  "error.too_large":
    "Das ist größer, als der Server oder das Backend annimmt. Senden Sie weniger auf einmal.",
  "error.too_many_keys": "Zu viele Objekte auf einmal. Wählen Sie weniger aus oder deren Ordner.",
  "error.too_many_shares":
    "Sie haben so viele Links, wie Sie haben dürfen. Widerrufen Sie die, die niemand mehr braucht.",
  "error.too_many_tags": "Das sind zu viele Tags. Entfernen Sie einige.",
  "error.username_taken": "Der Benutzername ist vergeben. Wählen Sie einen anderen.",
  "error.weak_password": "Das Passwort ist zu leicht zu erraten. Wählen Sie ein anderes.",
  "error.yaml_managed":
    "Dieses Backend ist in der Konfigurationsdatei festgelegt und kann nur dort geändert werden.",
  "errors.to_sign_in": "Anmelden",
  "errors.to_overview": "Zur Übersicht",
  "errors.wait": "Ein neuer Versuch ist in {time} möglich.",
  "errors.copy_request_id": "Anfrage-ID kopieren",
  "errors.no_answer": "Der Server hat nicht geantwortet",
  "errors.no_answer_text": "Prüfen Sie die Verbindung und versuchen Sie es noch einmal.",
  "errors.no_sign_in": "So können Sie sich nicht anmelden",
  "errors.no_role_text":
    "Keine Ihrer Gruppen beim Identitätsanbieter hat hier eine Rolle. Ein Administrator kann das ändern.",
  "errors.forbidden": "Sie dürfen diese Seite nicht sehen",
  "errors.forbidden_text": "Ihrem Konto fehlt das Recht dazu. Ein Administrator kann das ändern.",
  "errors.no_backend": "Dieses Backend gibt es nicht",
  "errors.no_backend_text":
    "Vielleicht ist die ID falsch geschrieben oder das Backend wurde entfernt oder deaktiviert.",
  "errors.not_found": "Seite nicht gefunden",
  "errors.not_found_text": "Vielleicht ist die Adresse falsch geschrieben oder die Seite wurde entfernt.",
  "errors.too_many": "Zu viele Anfragen",
  "errors.too_many_text": "Warten Sie einen Moment und laden Sie die Seite dann neu.",
  "errors.internal": "Auf dem Server ist ein Fehler aufgetreten",
  "errors.internal_text":
    "Laden Sie die Seite neu. Bleibt der Fehler, nennen Sie einem Administrator die Anfrage-ID.",
  "errors.no_backend_answer": "Das Speicher-Backend hat nicht geantwortet",
  "errors.restarting": "Der Dienst startet neu",
  "errors.restarting_text": "Laden Sie die Seite in einem Moment neu.",
  "errors.unavailable": "Der Dienst kann das gerade nicht tun",
  "errors.other": "Das hat nicht funktioniert",
  "error.answered": "Der Server hat mit {status} geantwortet.",
};

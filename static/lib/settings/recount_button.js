// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { bucketUrl } from "../browse/object_urls.js";
import { t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { Button, html } from "../ui.js";

/** @import { SettingsPlace } from "./section.js" */

/**
 * Counts a bucket anew; while it does, it stops that.
 * @param {{ place: SettingsPlace, onCounted: () => Promise<unknown> }} props
 */
export function RecountButton({ place: { backend, bucket }, onCounted }) {
  const [running, setRunning] = useState(/** @type {AbortController | null} */ (null));
  const count = async () => {
    const abort = new AbortController();
    setRunning(abort);
    try {
      const { signal } = abort;
      await request("POST", `${bucketUrl(backend.id, bucket)}/quota/recompute`, { signal });
      toast(t("settings.recounted"));
      await onCounted();
    } catch (error) {
      if (abort.signal.aborted) toast(t("settings.recount_stopped"), { kind: "info" });
      else toastError(t("settings.recount_failed"), error);
    }
    setRunning(null);
  };
  return html`
    <${Button} small=${true} icon=${running === null ? "refresh" : "stop"}
      onClick=${() => running === null ? count() : running.abort()}>${running === null
        ? t("settings.recount")
        : t("settings.recount_stop")}<//>
  `;
}

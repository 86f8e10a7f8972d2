// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { backendPage, bucketPage, bucketUrl } from "../browse/object_urls.js";
import { ShowCommand } from "../commands.js";
import { CopyButton } from "../copy_button.js";
import { rich, t } from "../i18n.js";
import { visit } from "../navigation.js";
import { toast, toastError } from "../toast.js";
import { Button, Bytes, html, Icon, minute, Notice, Skeleton, Time } from "../ui.js";
import { awsCommand, settingCommand } from "./commands.js";
import { LoadFailure } from "./lazy_states.js";
import { RecountButton } from "./recount_button.js";
import { insightsPage } from "./section.js";

/** @import { FirstSection, SettingsPlace } from "./section.js" */
/** @import { BucketSummary } from "../browse/bucket_list.js" */

/**
 * What a bucket is, whether its size is tracked, and its end.
 * @param {{ place: SettingsPlace, first: FirstSection, now: number }} props
 */
export function General({ place, first, now }) {
  const { backend, bucket } = place;
  const [facts, setFacts] = useState(/** @type {BucketSummary | null} */ (first.data?.answer ?? null));
  const [error, setError] = useState(first.error);
  const load = async () => {
    setError(null);
    try {
      setFacts(await request("GET", bucketUrl(backend.id, bucket)));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    }
  };
  useEffect(() => {
    if (first.data === null && first.error === null) load();
  }, []);
  const address = `s3://${bucket}`;
  return html`
    <section class="setting" aria-labelledby="setting-title">
      <header class="setting-head">
        <h2 id="setting-title">${t("settings.general")}</h2>
        <p class="muted">${t("settings.general_about")}</p>
      </header>
      ${!place.canWrite && html`<${Notice}>${t("settings.lock_readonly")}<//>`}
      ${error !== null ? html`<${LoadFailure} error=${error} load=${load} />` : html`
        <div class="card card-body">
          <dl class="facts">
            <dt>${t("common.name")}</dt>
            <dd class="row"><span class="break">${bucket}</span><${CopyButton} text=${bucket}
              label=${t("settings.copy_name")} /></dd>
            <dt>${t("settings.address")}</dt>
            <dd class="row"><span class="mono break">${address}</span><${CopyButton} text=${address}
              label=${t("settings.copy_address")} /></dd>
            <dt>${t("common.backend")}</dt>
            <dd><a href=${backendPage(backend.id)}>${backend.name}</a></dd>
            <dt>${t("settings.region")}</dt>
            <dd>${backend.region || "–"}</dd>
            <dt>${t("common.created")}</dt>
            <dd>${facts?.created_at ? html`<${Time} at=${facts.created_at} now=${now} />` : "–"}</dd>
          </dl>
          <p class="row setting-links">
            <a class="button" href=${bucketPage(backend.id, bucket)}><${Icon} name="folder" />${t(
              "settings.open_objects",
            )}</a>
            <a class="button" href=${insightsPage(backend.id, bucket)}><${Icon} name="chart" />${t(
              "settings.open_insights",
            )}</a>
          </p>
        </div>
        ${facts === null
          ? html`
            <div class="card">
              <${Skeleton} rows=${2} />
            </div>
            <p class="without-script"><a class="button" href=${first.again}>${t(
              "settings.load_again",
            )}</a></p>
          `
          : html`<${SizeTracking} place=${place} facts=${facts} load=${load} now=${now} />`}
      `}
      ${place.canDelete && error?.status !== 404 && html`<${Deletion} place=${place} />`}
    </section>
  `;
}

/** @param {{ place: SettingsPlace, facts: BucketSummary, load: () => Promise<void>, now: number }} props */
function SizeTracking({ place, facts, load, now }) {
  const { backend, bucket, canWrite } = place;
  const [busy, setBusy] = useState(false);
  const enabled = facts.size_tracked === true;
  const toggle = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await request("PUT", `${bucketUrl(backend.id, bucket)}/size-tracking`, { json: { enabled: !enabled } });
      toast(enabled ? t("settings.tracking_stopped") : t("settings.tracking_started"));
      await load();
    } catch (error) {
      toastError(t("settings.tracking_failed"), error);
    }
    setBusy(false);
  };
  return html`
    <div class="card card-body stack">
      <h3>${t("settings.tracking")}</h3>
      <label class="check"><input type="checkbox" role="switch" checked=${enabled !==
        busy} disabled=${!canWrite ||
        minute.value === 0}
        onChange=${toggle} /><span>${t("settings.tracking_on")}<small>${t(
          "settings.tracking_about",
        )}</small></span></label>
      <div class="row">
        <p class="push">${facts.size_bytes === undefined
          ? enabled ? t("settings.counting") : t("settings.not_counted")
          : rich("settings.size_now", {
            size: html`<strong><${Bytes} value=${facts.size_bytes} /></strong>`,
            objects: t("common.objects", { n: facts.object_count ?? 0 }),
            time: facts.computed_at
              ? html`<${Time} at=${facts.computed_at} now=${now} />`
              : t("common.unknown"),
          })}</p>
        ${canWrite && html`<${RecountButton} place=${place} onCounted=${load} />`}
      </div>
      <${ShowCommand} lines=${[settingCommand("PUT", place, "size-tracking", { enabled: !enabled })]} />
    </div>
  `;
}

/** @param {{ place: SettingsPlace }} props */
function Deletion({ place: { backend, bucket } }) {
  const remove = async () => {
    const { askDeleteBucket } = await import("../places/delete_bucket.js");
    if (!await askDeleteBucket(backend, bucket)) return;
    toast(t("settings.deleted", { bucket }));
    visit(backendPage(backend.id), { replace: true });
  };
  return html`
    <div class="card card-body stack setting-danger">
      <h3>${t("settings.delete_bucket")}</h3>
      <p class="muted">${t("settings.delete_about")}</p>
      <div class="row">
        <${Button} class="button-bad-text" icon="trash" onClick=${remove}>${t(
          "settings.delete_bucket",
        )}…<//></div>
      <${ShowCommand} lines=${[awsCommand("delete-bucket", bucket)]} />
    </div>
  `;
}

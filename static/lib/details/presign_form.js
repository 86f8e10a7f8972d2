// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { shellWord, ShowCommand } from "../commands.js";
import { CopyButton } from "../copy_button.js";
import { Field } from "../fields.js";
import { formatDateTime } from "../format.js";
import { t } from "../i18n.js";
import { Segmented } from "../segmented.js";
import { QrImage } from "../shares/qr_image.js";
import { Button, html, Notice } from "../ui.js";
import { nameOf } from "./addresses.js";
import { useBackendFacts } from "./backend_facts.js";
import { isPrivateHost } from "./private_host.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { MessageKey } from "../i18n.js" */

/** How long a link can be valid, in seconds. A signature is good for 7 days at most. @type {ReadonlyArray<readonly [number, MessageKey]>} */
const lifetimes = [
  [900, "details.minutes_15"],
  [3600, "details.hour_1"],
  [12 * 3600, "details.hours_12"],
  [86_400, "details.day_1"],
  [3 * 86_400, "details.days_3"],
  [7 * 86_400, "details.days_7"],
];

/**
 * Makes a link that carries its own signature, past this service.
 * @param {{ browser: Browser, objectKey: string, version: string }} props
 */
export function PresignForm({ browser, objectKey, version }) {
  const [method, setMethod] = useState(/** @type {"GET" | "PUT"} */ ("GET"));
  const [seconds, setSeconds] = useState(3600);
  const [made, setMade] = useState(
    /** @type {{ url: string, method: string, expires_at: string } | null} */ (null),
  );
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(/** @type {{ code: string, message: string } | null} */ (null));
  const make = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const version_id = method === "GET" && version !== "" ? version : undefined;
      const json = { key: objectKey, method, expires_seconds: seconds, version_id };
      setMade(await request("POST", `${browser.api}/presign`, { json }));
    } catch (error) {
      setFailure(error instanceof ApiError ? error : { code: "", message: String(error) });
    }
    setBusy(false);
  };
  const changed = () => setMade(null);
  const facts = useBackendFacts(browser);
  if (facts === undefined) return null;
  if (facts?.presign === false) {
    return html`<${Notice}>${
      browser.canManage ? t("details.presign_off_admin") : t("details.presign_off")
    }<//>`;
  }
  return html`
    <div class="form">
      <p class="muted">${t("details.presign_hint")}</p>
      <div class="field-row">
        <div class="field">
          <span class="legend">${t("details.presign_for")}</span>
          <${Segmented} label=${t("details.presign_for")} value=${method} onChange=${(
            /** @type {any} */ value,
          ) => {
            setMethod(value);
            changed();
          }} options=${[["GET", t("common.download")], ["PUT", t("details.upload")]]} />
        </div>
        <${Field} label=${t("details.valid_for")} control=${(/** @type {any} */ attributes) =>
          html`<select class="select" ...${attributes} value=${String(seconds)} onChange=${(
            /** @type {any} */ event,
          ) => {
            setSeconds(Number(event.target.value));
            changed();
          }}>${
            lifetimes.map(([value, text]) =>
              html`<option key=${value} value=${String(value)}>${t(text)}</option>`
            )
          }</select>`} />
      </div>
      <div class="form-foot">
        <${Button} kind=${made ? "plain" : "primary"} icon="link" busy=${busy}
          onClick=${make}>${t("details.presign_make")}<//></div>
      ${failure &&
        html`<${Notice} kind=${failure.code === "not_supported" ? "info" : "bad"} role="alert">${
          failure.code === "not_supported"
            ? browser.canManage ? t("details.presign_off_admin") : t("details.presign_off")
            : failure.message
        }<//>`}
      ${made && html`<${Presigned} made=${made} name=${nameOf(objectKey)} />`}
      <${ShowCommand} lines=${[commandOf(browser.bucket, objectKey, method, seconds)]} />
    </div>
  `;
}

/** @param {{ made: { url: string, method: string, expires_at: string }, name: string }} props */
function Presigned({ made, name }) {
  const { host, hostname } = new URL(made.url);
  return html`
    <${Field} label=${t("details.presigned")} control=${(/** @type {any} */ attributes) =>
      html`
        <div class="row sharing-line">
          <input class="input mono" ...${attributes} readonly value=${made.url}
            onFocus=${(/** @type {any} */ event) => event.target.select()} />
          <${CopyButton} text=${made.url} label=${t("details.presign_copy")} />
        </div>
      `} />
    <p class="muted">${t("details.presign_facts", {
      time: formatDateTime(Date.parse(made.expires_at)),
      host,
    })}</p>
    ${isPrivateHost(hostname) && html`<${Notice} kind="warn">${t("details.presign_private", { host })}<//>`}
    ${made.method === "PUT" && html`<${ShowCommand} lines=${[`curl -T FILE ${shellWord(made.url)}`]} />`}
    ${made.method === "GET" && html`<${QrImage} text=${made.url} fileName=${name} />`}
  `;
}

/**
 * @param {string} bucket
 * @param {string} key
 * @param {"GET" | "PUT"} method
 * @param {number} seconds
 */
function commandOf(bucket, key, method, seconds) {
  if (method === "GET") return `aws s3 presign ${shellWord(`s3://${bucket}/${key}`)} --expires-in ${seconds}`;
  const call = `"put_object", Params={"Bucket": ${JSON.stringify(bucket)}, "Key": ${
    JSON.stringify(key)
  }}, ExpiresIn=${seconds}`;
  return `python3 -c ${shellWord(`import boto3; print(boto3.client("s3").generate_presigned_url(${call}))`)}`;
}

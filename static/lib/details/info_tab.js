// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { basePath } from "../base.js";
import { defaultClass, storageClassName } from "../browse/entries.js";
import { CopyButton } from "../copy_button.js";
import { formatBytes, formatDateTime, sizeStep } from "../format.js";
import { t } from "../i18n.js";
import { html, Time } from "../ui.js";
import { arnOf, contentUrl, s3Uri } from "./addresses.js";

/** @import { TabProps } from "./details.js" */

/**
 * Everything that is known about an object, ready to be copied.
 * @param {TabProps} props
 */
export function InfoTab({ browser, info, objectKey, version, now }) {
  const [origin, setOrigin] = useState("");
  useEffect(() => setOrigin(location.origin + basePath()), []);
  const { bucket } = browser;
  const page = browser.href({ prefix: browser.place.value.prefix, open: objectKey, version });
  const address = contentUrl(browser.api, objectKey, "attachment", version);
  return html`
    <section class="details-section">
      <h3>${t("details.addresses")}</h3>
      <dl class="facts">
        <${Copied} name=${t("details.key")} value=${objectKey} label=${t("details.copy_key")} />
        <${Copied} name="S3 URI" value=${s3Uri(bucket, objectKey)} label=${t("details.copy_uri")} />
        <${Copied} name="ARN" value=${arnOf(bucket, objectKey)} label=${t("details.copy_arn")} />
        <${Copied} name="URL" value=${origin + address} label=${t("details.copy_url")} />
        <${Copied} name=${t("details.link")} value=${origin + page} label=${t("details.copy_link")} />
      </dl>
    </section>
    <section class="details-section">
      <h3>${t("details.information")}</h3>
      <dl class="facts">
        <${Copied} name=${t("common.size")} value=${String(info.size)} label=${t("details.copy_size")}
          shown=${info.size < sizeStep() ? t("common.bytes", { n: info.size }) : sizeText(info.size)} />
        <dt>${t("common.modified")}</dt><dd>${info.last_modified
          ? html`<${Time} at=${info.last_modified} now=${now} /> <span class="faint">${
            formatDateTime(Date.parse(info.last_modified))
          }</span>`
          : t("common.unknown")}</dd>
        <${Copied} name="ETag" value=${info.etag} label=${t("details.copy_etag")} />
        ${info.version_id && html`
          <${Copied} name=${t("details.version")} value=${info.version_id} label=${t(
            "details.copy_version",
          )} />
        `}
        ${Object.entries(info.checksums ?? {}).map(([algorithm, value]) =>
          html`<${Copied} key=${algorithm} name=${algorithm} value=${value} label=${
            t("details.copy_checksum", { algorithm })
          } />`
        )}
        <${Fact} name=${t("details.type")} value=${info.content_type} />
        <${Fact} name=${t("details.class")} value=${info.storage_class || defaultClass}
          shown=${storageClassName(info.storage_class || defaultClass)} />
        <${Fact} name=${t("details.encryption")} value=${encryptionText(info)} none=${t(
          "details.encryption_untold",
        )} />
        <${Fact} name=${t("details.lock")} value=${lockText(info)} none=${t("details.lock_untold")} />
      </dl>
    </section>
  `;
}

/**
 * @param {{ name: string, value?: string, shown?: string, none?: string }} props `shown` in place of what is copied, `none`
 *   where there is no value
 */
function Fact({ name, value, shown = value, none = t("details.not_set") }) {
  if (value) {
    return html`<${Copied} name=${name} value=${value} shown=${shown} label=${
      t("details.copy_value", { name })
    } />`;
  }
  return html`
    <dt>${name}</dt>
    <dd><span class="faint">${none}</span></dd>
  `;
}

/** @param {{ name: string, value: string, label: string, shown?: string }} props `shown` in place of what is copied */
function Copied({ name, value, label, shown }) {
  return html`
    <dt>${name}</dt>
    <dd class="copied">${shown === undefined
      ? html`<code class="truncate" dir="ltr" title=${value}>${value}</code>`
      : html`<span class="truncate" title=${shown}>${shown}</span>`}<${CopyButton} text=${value} label=${label} /></dd>
  `;
}

/** @param {import("./object_info.js").ObjectInfo} info */
function encryptionText({ encryption }) {
  return encryption?.key_id ? `${encryption.algorithm} · ${encryption.key_id}` : encryption?.algorithm;
}

/** @param {import("./object_info.js").ObjectInfo} info */
function lockText({ lock }) {
  const parts = [
    lock?.mode && lock.retain_until &&
    t("details.lock_until", { mode: lock.mode, time: formatDateTime(Date.parse(lock.retain_until)) }),
    lock?.legal_hold && t("details.legal_hold"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** @param {number} size of which the unit is not bytes anyway */
function sizeText(size) {
  return t("details.size_and_bytes", { n: size, size: formatBytes(size) });
}

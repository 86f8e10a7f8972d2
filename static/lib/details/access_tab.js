// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { t } from "../i18n.js";
import { explainPolicy, publicAccess } from "../settings/policy_words.js";
import { ObjectShares } from "../shares/object_shares.js";
import { Badge, html, Skeleton } from "../ui.js";
import { backendFacts } from "./backend_facts.js";
import { PresignForm } from "./presign_form.js";

/** @import { TabProps } from "./details.js" */

/**
 * What is known of who can read an object. `policy` is `null` where it could not be read; `anonymous` says whether this
 * service's S3 endpoint lets anyone read the bucket, which only administrators are told.
 * @typedef {{ policy: string | null, policyError: string, anonymous: "open" | "closed" | "off" | "untold" }} Readers
 */

/**
 * Who can read an object, and how it is passed on.
 * @param {TabProps} props
 */
export function AccessTab({ browser, objectKey, version, now }) {
  const [readers, setReaders] = useState(/** @type {Readers | null} */ (null));
  useEffect(() => {
    const abort = new AbortController();
    readReaders(browser, abort.signal).then(setReaders, () => {});
    return () => abort.abort();
  }, []);
  return html`
    <section class="details-section">
      <h3>${t("details.who_reads")}</h3>
      ${readers === null
        ? html`<${Skeleton} rows=${3} />`
        : html`<${ReaderList} readers=${readers} objectKey=${objectKey} />`}
    </section>
    ${browser.canShare && html`<${ObjectShares} browser=${browser} objectKey=${objectKey} now=${now} />`}
    ${browser.canWrite && html`
      <section class="details-section">
        <h3>${t("details.presigned")}</h3>
        <${PresignForm} browser=${browser} objectKey=${objectKey} version=${version} />
      </section>
    `}
  `;
}

/**
 * @param {import("../browse/browser.js").Browser} browser
 * @param {AbortSignal} signal
 * @returns {Promise<Readers>}
 */
async function readReaders(browser, signal) {
  const facts = await backendFacts(browser);
  const [policy, bindings] = await Promise.allSettled([
    facts?.capabilities.policy === false
      ? { policy: "" }
      : request("GET", `${browser.api}/policy`, { signal, priority: "visible" }),
    browser.canManage && browser.s3Endpoint
      ? request("GET", "/api/admin/s3-anonymous", { signal, priority: "visible" })
      : null,
  ]);
  return {
    policy: policy.status === "fulfilled" ? policy.value.policy : null,
    policyError: policy.status === "rejected" ? policy.reason.message : "",
    anonymous: anonymousReading(browser, bindings),
  };
}

/**
 * @param {import("../browse/browser.js").Browser} browser
 * @param {PromiseSettledResult<any>} bindings the anonymous bindings, `null` for those who may not ask
 * @returns {Readers["anonymous"]}
 */
function anonymousReading(browser, bindings) {
  if (!browser.s3Endpoint) return "off";
  if (bindings.status === "rejected" || bindings.value === null) return "untold";
  const { anonymous_enabled, bindings: all } = bindings.value;
  const isOpen = all.some((/** @type {{ backend_id: string, bucket: string, mode: string }} */ binding) =>
    binding.backend_id === browser.backend.id && binding.bucket === browser.bucket &&
    binding.mode === "ReadOnly"
  );
  return anonymous_enabled && isOpen ? "open" : "closed";
}

/** @type {Readonly<Record<Readers["anonymous"], import("../i18n.js").MessageKey>>} */
const anonymousTexts = {
  open: "details.anonymous_on",
  closed: "details.anonymous_off",
  off: "details.no_endpoint",
  untold: "details.anonymous_unknown",
};

/** @param {{ readers: Readers, objectKey: string }} props */
function ReaderList({ readers, objectKey }) {
  const { policy, policyError, anonymous } = readers;
  const read = policy ? publicAccess(policy, objectKey).read : "no";
  const statements = policy ? explainPolicy(policy) : [];
  return html`
    <p class="access-verdict">${read === "yes" || anonymous === "open"
      ? html`<${Badge} kind="warn">${t("details.public")}<//> ${t("details.public_text")}`
      : read === "conditional"
      ? html`<${Badge} kind="warn">${t("details.perhaps_public")}<//> ${t("details.perhaps_public_text")}`
      : html`<${Badge} kind="neutral">${t("details.private")}<//> ${t("details.private_text")}`}</p>
    <ul class="access-list">
      <li>${t("details.readers_dashboard")}</li>
      ${policyError !== "" && html`<li>${t("details.policy_unknown", { reason: policyError })}</li>`}
      ${policy === "" && html`<li>${t("details.no_policy")}</li>`}
      ${statements.map(({ sentence }, index) => html`<li key=${index}>${sentence}</li>`)}
      <li>${t(anonymousTexts[anonymous])}</li>
      <li>${t("details.readers_keys")}</li>
    </ul>
  `;
}

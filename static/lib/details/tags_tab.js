// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { ShowCommand } from "../commands.js";
import { t } from "../i18n.js";
import { toast } from "../toast.js";
import { Button, EmptyState, html, Notice, Skeleton } from "../ui.js";
import { backendFacts, unsupported } from "./backend_facts.js";
import { useDraft } from "./drafts.js";
import { PairEditor } from "./pair_editor.js";
import { maxTags, pairsFrom, recordOf, sameRecords, tagFaults } from "./pairs.js";
import { tagCommand } from "./tag_commands.js";

/** @import { TabProps } from "./details.js" */
/** @import { Pair } from "./pairs.js" */

/**
 * The tags of an object, or of one of its versions, and their editor.
 * @param {TabProps} props
 */
export function TagsTab({ browser, objectKey, version }) {
  const [stored, setStored] = useState(/** @type {Record<string, string> | null} */ (null));
  const [failure, setFailure] = useState(/** @type {any} */ (null));
  const [draft, setDraft] = useDraft(browser, `tags ${version} ${objectKey}`);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [conflict, setConflict] = useState(/** @type {Record<string, string> | null} */ (null));
  const query = { key: objectKey, version_id: version };
  const path = `${browser.api}/object/tags`;
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      const facts = await backendFacts(browser);
      if (facts?.capabilities.tagging === false) return setFailure(unsupported);
      const { tags } = await request("GET", path, { query, signal: abort.signal });
      setStored(tags);
    };
    read().catch((problem) => {
      if (!abort.signal.aborted) setFailure(problem);
    });
    return () => abort.abort();
  }, []);
  if (failure?.code === "not_supported") {
    return html`<${EmptyState} icon="info" title=${t("details.no_tagging")}>${
      t("details.no_tagging_hint")
    }<//>`;
  }
  if (failure) return html`<${Notice} kind="bad" role="alert">${failure.message}<//>`;
  if (stored === null) return html`<${Skeleton} rows=${3} />`;
  const pairs = /** @type {Pair[]} */ (draft ?? pairsFrom(stored));
  const faults = tagFaults(pairs);
  const wanted = recordOf(pairs);
  const changed = draft !== null && !sameRecords(wanted, stored);
  const save = async (/** @type {boolean} */ anyway) => {
    setBusy(true);
    setError("");
    try {
      // Tags have no entity tag: what was stored in between is only found by reading them once more.
      const { tags: now } = await request("GET", path, { query });
      if (!anyway && !sameRecords(now, stored)) return setConflict(now);
      const { tags } = await request("PUT", path, { query, json: { tags: wanted } });
      setStored(tags);
      setDraft(null);
      setConflict(null);
      toast(t("details.tags_saved"));
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem));
    } finally {
      setBusy(false);
    }
  };
  const discard = () => {
    setStored(conflict ?? stored);
    setConflict(null);
    setDraft(null);
    setError("");
  };
  if (!browser.canWrite) return html`<${TagList} tags=${stored} />`;
  return html`
    <p class="limit-line"><span>${t("details.tag_count", {
      n: Object.keys(wanted).length,
      max: maxTags,
    })}</span>
      <span class="faint">${t("details.tag_limits")}</span></p>
    ${pairs.length === 0 && html`<p class="muted">${t("details.no_tags")}</p>`}
    <${PairEditor} id="tags" pairs=${pairs} faults=${faults} nameLabel=${t("details.tag")} addLabel=${t(
      "details.add_tag",
    )}
      max=${maxTags} onChange=${setDraft} />
    ${conflict && html`
      <${Notice} kind="warn" role="alert" action=${html`<${Button} small=${true} onClick=${() =>
        save(true)}>${t("details.save_anyway")}<//>`}>${t("details.tags_conflict", {
          tags: tagText(conflict),
        })}<//>
    `}
    ${error && html`<${Notice} kind="bad" role="alert">${error}<//>`}
    ${changed && html`
      <div class="form-foot">
        <${Button} kind="primary" busy=${busy} disabled=${faults.size > 0 ||
          pairs.length > maxTags} onClick=${() => save(false)}>${t("details.save_tags")}<//>
        <${Button} onClick=${discard}>${t("details.discard")}<//>
      </div>
    `}
    <p class="field-hint">${t("details.tags_effect")}</p>
    <${ShowCommand} lines=${[tagCommand(browser.bucket, objectKey, version, wanted)]} />
  `;
}

/** @param {{ tags: Record<string, string> }} props */
function TagList({ tags }) {
  const pairs = pairsFrom(tags);
  if (pairs.length === 0) return html`<p class="muted">${t("details.no_tags")}</p>`;
  return html`<dl class="facts">${
    pairs.map(({ name, value }) =>
      html`
        <dt key=${name} class="mono break">${name}</dt>
        <dd key=${`${name} value`} class="break">${value}</dd>
      `
    )
  }</dl>`;
}

/** @param {Record<string, string>} tags */
function tagText(tags) {
  return pairsFrom(tags).map(({ name, value }) => `${name}=${value}`).join(", ") || t("common.none");
}

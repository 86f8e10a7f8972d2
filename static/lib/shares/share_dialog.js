// @ts-check
/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { KeyLabel } from "../browse/key_label.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { t } from "../i18n.js";
import { LazyComponent } from "../lazy_component.js";
import { Segmented } from "../segmented.js";
import { loadStyles } from "../styles.js";
import { toast } from "../toast.js";
import { Button, html, Notice, Skeleton } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { apiFields, draftWithin, newDraft, problemsOf } from "./draft.js";
import { useLongest } from "./limits.js";
import { failureText, nameOf, shareChanges } from "./share.js";
import { ShareFields } from "./share_fields.js";
import { ShareResult } from "./share_result.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { Entry } from "../browse/entries.js" */
/** @import { DialogControls } from "../dialog.js" */
/** @import { Draft } from "./draft.js" */
/** @import { Share } from "./share.js" */

/**
 * What is to be shared: `backend` is its id, and `version` is empty for the latest one. There are several keys for a
 * selection; a folder's key ends in `/`.
 * @typedef {{ backend: string, bucket: string, keys: readonly string[], version: string }} Target
 */

/** Most keys of one link. */
const maxKeys = 1000;

/**
 * Asks how an object, a folder or a selection of both is to be shared, makes the share and shows its link.
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {string} [version] of the only object, when it is not to be the latest one
 */
export async function askShare(browser, entries, version = "") {
  if (entries.length === 0) return;
  if (entries.length > maxKeys || browser.matching.value) {
    return void toast(t("shares.too_many_keys", { n: maxKeys }), { kind: "info" });
  }
  const target = {
    backend: browser.backend.id,
    bucket: browser.bucket,
    keys: entries.map(({ key }) => key),
    version,
  };
  await loadStyles("lazy.css");
  await openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) =>
      html`
        <${ShareDialog} ...${controls} browser=${browser} target=${target} />
      `,
  );
}

/** @param {DialogControls<void> & { browser: Browser, target: Target }} props */
function ShareDialog({ browser, target, ...controls }) {
  const longest = useLongest("share");
  const [made, setMade] = useState(/** @type {{ share: Share, password: string } | null} */ (null));
  const [way, setWay] = useState(/** @type {Way} */ ("share"));
  const [chosen, setChosen] = useState(false);
  const choose = (/** @type {Way} */ way) => {
    setChosen(true);
    setWay(way);
  };
  const { keys: [objectKey, ...others], version } = target;
  if (made !== null) return html`<${ShareResult} ...${controls} ...${made} keys=${target.keys} />`;
  const ways = others.length > 0 || objectKey.endsWith("/") ? null : html`
    <${Ways} way=${way} chosen=${chosen} onChange=${choose} />
  `;
  return way === "share"
    ? html`<${ShareForm} ...${controls} target=${target} longest=${longest} ways=${ways} onMade=${setMade} />`
    : html`
      <${Presigned} ...${controls} browser=${browser} objectKey=${objectKey} version=${version}
        ways=${ways} />
    `;
}

/** Which kind of link. @typedef {"share" | "presigned"} Way */

/**
 * The choice between the kinds of links. It stands in the form of either: once one was `chosen`, it keeps the focus.
 * @param {{ way: Way, chosen: boolean, onChange: (way: Way) => void }} props
 */
function Ways({ way, chosen, onChange }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const pressed = chosen ? box.current?.querySelector("[aria-pressed=true]") : null;
    if (pressed instanceof HTMLElement) pressed.focus();
  }, []);
  return html`
    <div ref=${box}>
      <${Segmented} label=${t("shares.way")} value=${way} onChange=${onChange} options=${[
        ["share", t("shares.way_share")],
        ["presigned", t("shares.way_presigned")],
      ]} />
    </div>
  `;
}

/** @param {DialogControls<void> & { browser: Browser, objectKey: string, version: string, ways: any }} props */
function Presigned({ close, titleId, browser, objectKey, version, ways }) {
  const [form] = useState(() =>
    new LazyComponent(async () => (await import("../details/presign_form.js")).PresignForm)
  );
  const [error, setError] = useState("");
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    form.load().then(() => setLoaded(true), (failure) => setError(String(failure?.message ?? failure)));
  }, []);
  return html`
    <${DialogFrame} title=${t("shares.share_object")} titleId=${titleId} onClose=${close}
      footer=${html`<${Button} onClick=${() => close()}>${t("shares.done")}<//>`}>
      <div class="stack">
        <p><${KeyLabel} name=${nameOf({ key: objectKey })} /></p>
        ${ways}
        <div role="alert">${error !== "" && html`<${Notice} kind="bad">${error}<//>`}</div>
        ${!loaded && error === "" && html`<${Skeleton} rows=${3} />`}
        <${form.View} browser=${browser} objectKey=${objectKey} version=${version} />
      </div>
      <//>
  `;
}

/**
 * @param {DialogControls<void> & {
 *   target: Target, longest: number, ways: any, onMade: (made: { share: Share, password: string }) => void
 * }} props
 */
function ShareForm({ close, block, titleId, target, longest, ways, onMade }) {
  const [chosen, setDraft] = useState(() => newDraft());
  const draft = draftWithin(chosen, longest);
  const { keys } = target;
  const isSelection = keys.length > 1;
  const folder = isSelection || keys[0].endsWith("/");
  const { busy, problems, error, submit } = useSubmission({
    block,
    check: () => problemsOf(draft, Date.now()),
    send: async () => {
      const { backend: backend_id, bucket, version } = target;
      const what = isSelection ? { keys } : { key: keys[0], version_id: version || undefined };
      const json = { backend_id, bucket, ...what, ...apiFields(draft, Date.now()) };
      const share = await request("POST", "/api/shares", { json });
      shareChanges.value++;
      onMade({ share, password: draft.password });
    },
    tell: failureText,
  });
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" busy=${busy}>${t("shares.create_link")}<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${titleOf(target)} titleId=${titleId}
        footer=${footer} onClose=${close}>
        <div class="form">
          <div>
            <p>${isSelection
              ? t("shares.items", { n: keys.length })
              : html`<${KeyLabel} name=${nameOf({ key: keys[0] })} />`}</p>
            <p class="muted">${reachText(target)}</p>
          </div>
          ${ways}
          <${ShareFields} draft=${draft} problems=${problems} folder=${folder}
            change=${(/** @type {Partial<Draft>} */ changes) => setDraft({ ...draft, ...changes })} />
          ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
        </div>
        <//>
        </form>
  `;
}

/** @param {Target} target */
function titleOf({ keys }) {
  if (keys.length > 1) return t("shares.share_selection");
  return keys[0].endsWith("/") ? t("shares.share_folder") : t("shares.share_object");
}

/**
 * What a link to it leads to, in a sentence.
 * @param {Target} target
 */
function reachText({ keys, version }) {
  if (keys.length > 1) return t("shares.reach_selection");
  if (keys[0].endsWith("/")) return t("shares.reach_folder");
  return version === "" ? t("shares.reach_object") : t("shares.reach_version");
}

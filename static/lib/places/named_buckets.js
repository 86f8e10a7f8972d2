// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { bucketPage } from "../browse/object_urls.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { Button, html, Icon, IconButton, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { pinPlace } from "./pins.js";

/**
 * The buckets of a backend that does not list them: those that the user has named, which are pinned, and a field to name one.
 *
 * @param {{ backend: string, pinned: ReadonlySet<string>, togglePin: (bucket: { name: string }) => void,
 *   onNamed: (name: string) => void }} props `backend`: its id
 */
export function NamedBuckets({ backend, pinned, togglePin, onNamed }) {
  const [name, setName] = useState("");
  const { busy, error, submit } = useSubmission({
    block: () => {},
    send: async () => {
      await pinPlace({ backend_id: backend, bucket: name.trim() });
      onNamed(name.trim());
      setName("");
    },
  });
  const control = (/** @type {any} */ attributes) =>
    html`
      <div class="row">
        <input class="input mono" ...${attributes} autocomplete="off" autocapitalize="off" spellcheck=${false}
          required value=${name} onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
        <${Button} type="submit" busy=${busy}>${t("buckets.named_add")}<//>
      </div>
    `;
  return html`
    <section class="card named-buckets">
      <h2>${t("buckets.forbidden")}</h2>
      <p class="muted">${t("buckets.forbidden_text")}</p>
      <form class="needs-script" onSubmit=${submit}>
        <${Field} label=${t("buckets.named_label")} control=${control} />
      </form>
      <div role="alert">${error !== "" && html`<${Notice} kind="bad">${error}<//>`}</div>
      <ul class="place-list" aria-label=${t("buckets.named")}>
        ${[...pinned].sort().map((bucket) =>
          html`
            <li key=${bucket}>
              <a class="place-link" href=${bucketPage(backend, bucket)}
              ><${Icon} name="bucket" /><span class="place-name break">${bucket}</span></a>
              <${IconButton} icon="close" class="icon-button-small" label=${t("overview.unpin", {
                name: bucket,
              })} onClick=${() => togglePin({ name: bucket })} />
            </li>
          `
        )}
      </ul>
    </section>
  `;
}

// @ts-check
/// <reference lib="dom" />
import { render } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { loadStyles } from "../styles.js";
import { goTo } from "./go.js";

/** Puts a field in the place of the path in the top bar; it goes again when it is left. */
export async function openPathForm() {
  const place = document.getElementById("path-edit");
  if (place === null) return;
  await loadStyles("lazy.css");
  const opener = document.activeElement;
  const close = (/** @type {boolean} */ leaving) => {
    render(null, place);
    if (!leaving && opener instanceof HTMLElement) opener.focus();
  };
  render(html`<${PathForm} close=${close} />`, place);
}

/** @param {{ close: (leaving: boolean) => void }} props */
function PathForm({ close }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await goTo(input.current?.value ?? "");
      close(true);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setBusy(false);
    }
  };
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") close(false);
  };
  return html`
    <form class="path-edit-form" onSubmit=${submit}>
      <input ref=${input} class="input mono" aria-label=${t("palette.path_label")}
        placeholder=${t(
          "palette.path_placeholder",
        )} autocomplete="off" autocapitalize="off" spellcheck=${false}
        readonly=${busy} aria-invalid=${error ? "true" : undefined} aria-describedby="path-edit-error"
        onInput=${() => setError("")} onKeyDown=${leave} onBlur=${() => !busy && close(true)} />
      <p class="path-edit-error" id="path-edit-error" role="alert">${error}</p>
    </form>
  `;
}

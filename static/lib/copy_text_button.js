// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { t } from "./i18n.js";
import { Button, html } from "./ui.js";

/**
 * A button in words that copies `text` and says so.
 * @param {{ text: string, label: string, kind?: "plain" | "primary", onCopied?: () => void }} props
 */
export function CopyTextButton({ text, label, kind = "primary", onCopied }) {
  const [state, setState] = useState(/** @type {"" | "copied" | "failed"} */ (""));
  useEffect(() => {
    if (state === "") return;
    const timer = setTimeout(() => setState(""), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
      onCopied?.();
    } catch {
      setState("failed");
    }
  };
  const words = { "": label, copied: t("common.copied"), failed: t("common.copy_failed") }[state];
  return html`
    <${Button} kind=${kind} icon=${state === "copied" ? "check" : "copy"} onClick=${copy}>${words}<//>
  `;
}

// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { Icon } from "./icons.js";
import { toast } from "./toast.js";

/**
 * A button that copies `text` and says so.
 * @param {{ text: string, label?: string }} props
 */
export function CopyButton({ text, label = t("common.copy") }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast(t("frame.copy_failed"), { kind: "error" });
    }
  };
  return html`
    <button type="button" class="icon-button icon-button-small needs-script" aria-label=${copied
      ? t("frame.copied")
      : label}
      onClick=${copy}><${Icon} name=${copied ? "check" : "copy"} /></button>
  `;
}

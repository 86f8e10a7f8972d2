// @ts-check
import { t } from "./i18n.js";

/**
 * The state of a backend in a word.
 * @param {{ healthy?: boolean | null, last_probe_at?: string | null }} backend
 * @returns {{ kind: "ok" | "bad" | "neutral", word: string }}
 */
export function healthState({ healthy, last_probe_at: lastProbe }) {
  if (!lastProbe) return { kind: "neutral", word: t("frame.not_checked") };
  return healthy
    ? { kind: "ok", word: t("frame.reachable") }
    : { kind: "bad", word: t("frame.unreachable_backend") };
}

// @ts-check
import { causeText } from "./backend_failure.js";
import { formatLatency, formatUtc } from "./format.js";
import { t } from "./i18n.js";

/**
 * A probe in words.
 * @param {import("./probe_strip.js").Probe} probe
 */
export function describeProbe({ at, healthy, latency_ms, error, reason }) {
  const outcome = healthy
    ? formatLatency(latency_ms)
    : causeText(reason) || error
    ? t("frame.probe_failed_because", { reason: causeText(reason) || error || "" })
    : t("frame.probe_failed");
  return `${formatUtc(Date.parse(at))}\n${outcome}`;
}

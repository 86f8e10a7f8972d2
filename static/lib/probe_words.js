// @ts-check
import { causeText } from "./backend_failure.js";
import { formatLatency, formatUtc } from "./format.js";
import { t } from "./i18n.js";

/**
 * A probe in words.
 * @param {import("./probe_strip.js").Probe} probe
 */
export function describeProbe({ at, healthy, latency_ms, error, reason }) {
  const latency = formatLatency(latency_ms);
  const why = causeText(reason) || error;
  const outcome = healthy
    ? latency
    : why
    ? t("frame.probe_failed_because", { latency, reason: why })
    : t("frame.probe_failed", { latency });
  return `${formatUtc(Date.parse(at))}\n${outcome}`;
}

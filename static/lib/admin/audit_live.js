// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { pollWhileVisible } from "../poll.js";
import { apiFilter } from "./audit_filter.js";

/** @import { RequestOptions } from "../api.js" */
/** @typedef {import("../../islands/audit.js").AuditEvent} AuditEvent */

/** Milliseconds between two looks for new rows. */
const interval = 5_000;

/** Rows that one look can bring; of more, the older ones are found by loading the page again. */
const maxRows = 100;

/** How far down one may have scrolled before new rows no longer push down what is being read, in pixels. */
const scrollTolerance = 160;

/**
 * Looks for new rows again and again while it is switched on: not while the page is hidden, and not while one has
 * scrolled down to read. Answers whether it pauses for that.
 * @param {{ filter: Record<string, string>, live: boolean, onRows: (events: AuditEvent[]) => void }} options
 */
export function useLiveTail({ filter, live, onRows }) {
  const [paused, setPaused] = useState(false);
  const deliver = useRef(onRows);
  deliver.current = onRows;
  useEffect(() => {
    if (!live) return;
    // A narrow page is scrolled as a whole, a wide one in its main part.
    const main = document.querySelector("main");
    const isScrolled = () => Math.max(main?.scrollTop ?? 0, scrollY) > scrollTolerance;
    const note = () => setPaused(isScrolled());
    const look = async (/** @type {RequestOptions} */ options) => {
      if (isScrolled()) return;
      const query = { ...apiFilter(filter), limit: maxRows };
      const page = await request("GET", "/api/admin/audit", { ...options, query });
      deliver.current(page.events);
    };
    note();
    document.addEventListener("scroll", note, { passive: true, capture: true });
    const stop = pollWhileVisible(look, interval, { atOnce: true });
    return () => {
      document.removeEventListener("scroll", note, { capture: true });
      stop();
      setPaused(false);
    };
  }, [live]);
  return live && paused;
}

/**
 * The rows shown with those among `found` before them that are new, newest first.
 * @param {AuditEvent[]} shown
 * @param {AuditEvent[]} found
 */
export function withNewRows(shown, found) {
  const known = new Set(shown.map(({ id }) => id));
  const fresh = found.filter(({ id }) => !known.has(id));
  return fresh.length === 0 ? shown : [...fresh, ...shown];
}

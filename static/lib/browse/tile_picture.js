// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { Scheduler } from "../scheduler.js";
import { html } from "../ui.js";

/**
 * Paces the pictures, on its own: the page's requests do not wait behind them. Of the 600 requests a minute that the API
 * grants, they may take a part.
 */
const pictureScheduler = new Scheduler(undefined, { rate: 3, burst: 120 });

/** Pixels around what is seen in which pictures are fetched already. */
const margin = 300;

/** Milliseconds after which a picture that could not be had is fetched once more. */
const retryTime = 4000;

/**
 * A small picture, fetched when it comes into sight. Until it is there, and where it cannot be drawn, an icon.
 * @param {{ address: string, icon: any }} props
 */
export function TilePicture({ address, icon }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (place.current === null || tries > 0) return;
    let abort = new AbortController();
    const fetchSoon = async (/** @type {AbortSignal} */ signal) => {
      await pictureScheduler.slot("visible", signal);
      setTries(1);
    };
    const observer = new IntersectionObserver((changes) => {
      abort.abort();
      abort = new AbortController();
      // What goes out of sight before its turn has come is not fetched.
      if (changes.at(-1)?.isIntersecting) fetchSoon(abort.signal).catch(() => {});
    }, { root: place.current.closest(".thumbnails"), rootMargin: `${margin}px` });
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      abort.abort();
    };
  }, [tries]);
  useEffect(() => {
    if (!failed || tries > 1) return;
    const timer = setTimeout(() => {
      setFailed(false);
      setTries(2);
    }, retryTime);
    return () => clearTimeout(timer);
  }, [failed]);
  return tries === 0 || failed
    ? html`<span ref=${place}>${icon}</span>`
    : html`<img src=${address} alt="" decoding="async" onError=${() => setFailed(true)} />`;
}

// @ts-check
/// <reference lib="dom" />
import { ApiError, renewSession } from "./api.js";
import { withoutBase } from "./base.js";
import { announce, closeOverlays, drawFrame, showProgress } from "./frame_updates.js";
import { currentLanguage, t } from "./i18n.js";
import { load, newEntry, samePage, state } from "./navigation.js";
import { loadIsland, markReady, swapPage } from "./page.js";
import { fetchPageData, NoPageData } from "./page_data.js";
import { loadStyles } from "./styles.js";
import { toast } from "./toast.js";
import { losesWorkByLeaving } from "./unsaved_work.js";

/** @import { Step } from "./navigation.js" */
/** @import { IslandModule } from "./page.js" */
/** @import { PageData } from "./page_data.js" */

/** How far down each step of the history was scrolled, in CSS pixels. @type {Map<string, number>} */
const positions = new Map();

/**
 * Swaps a page in, in place of a visit that is under way. What fails is said.
 * @param {URL} url
 * @param {Step} step
 */
export async function go(url, step) {
  state.visiting?.abort();
  const abort = state.visiting = new AbortController();
  const endProgress = showProgress();
  try {
    await open(url, step, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) await fail(url, step, error);
  } finally {
    endProgress();
    if (state.visiting === abort) {
      state.visiting = null;
      markReady(() => state.visiting === null && !state.leaving);
    }
  }
}

/**
 * @param {URL} url
 * @param {Step} step
 * @param {AbortSignal} signal
 */
async function open(url, step, signal) {
  let { data, address } = await fetchPageData(url, signal);
  if (data.me === null) {
    await renewSession();
    ({ data, address } = await fetchPageData(url, signal));
  }
  const { island } = data;
  if (island === null || !isForUs(data)) return load(url, step);
  const [module] = await Promise.all([loadIsland(island, data.props), ...data.styles.map(loadStyles)]);
  if (signal.aborted) return;
  const target = samePage(address, url) ? url : address;
  show(target, step, { ...data, island }, module);
}

/**
 * Whether this document may show the page: it is for the same user with the same rights, in the same language, and made of
 * the same files. With work that would be lost, older files do as long as they can.
 * @param {PageData} data
 */
function isForUs({ me, build, language }) {
  const known = state.shown?.me;
  if (me?.id !== known?.id || me?.role !== known?.role || me?.must_change_pw !== known?.must_change_pw) {
    return false;
  }
  if (language !== currentLanguage()) return false;
  return build === currentBuild() || losesWorkByLeaving();
}

/** The build that this document's static files are of. */
function currentBuild() {
  const sheet = document.querySelector('link[rel="stylesheet"]')?.getAttribute("href") ?? "";
  return /^\/static\/([^/]+)\//.exec(withoutBase(sheet))?.[1];
}

/**
 * @param {URL} url
 * @param {Step} step
 * @param {import("./page.js").PageContent & import("./frame_updates.js").FrameContent & { layout: "fill" | null }} page
 * @param {IslandModule} module
 */
function show(url, step, page, module) {
  const main = document.getElementById("main");
  if (state.shown === null || main === null) return;
  positions.set(state.shown.entry, main.scrollTop);
  if (step === "push") history.pushState({ entry: newEntry() }, "", url);
  if (step === "replace") history.replaceState({ entry: newEntry() }, "", url);
  const entry = history.state?.entry ?? "";
  state.shown = { ...state.shown, url, entry, module };
  closeOverlays();
  document.title = page.title;
  drawFrame(withoutBase(url.pathname), page);
  swapPage(module, page);
  main.scrollTop = step === "none" ? positions.get(entry) ?? 0 : 0;
  if (url.hash !== "") document.getElementById(decodeURIComponent(url.hash.slice(1)))?.scrollIntoView();
  main.focus({ preventScroll: true });
  announce(page.title);
}

/**
 * @param {URL} url
 * @param {Step} step
 * @param {unknown} error
 */
async function fail(url, step, error) {
  if (error instanceof NoPageData && error.reason === "document") return load(url, step);
  // Who did not want to sign in again has been told what that means.
  if (error instanceof ApiError && error.status === 401) return;
  if (step === "none") return await showError(url, error);
  toast(t("frame.page_failed"), {
    kind: "error",
    action: { label: t("common.retry"), run: () => go(url, step) },
  });
}

/**
 * Says in place of a page that it could not be loaded: the address is that page's already.
 * @param {URL} url
 * @param {unknown} error
 */
async function showError(url, error) {
  const { shown } = state;
  if (shown === null) return;
  const props = {
    status: error instanceof NoPageData ? error.status : 0,
    code: "network",
    message: "",
    path: url.pathname + url.search,
    retryAfter: 0,
    requestId: "",
  };
  const title = t("frame.page_failed");
  const module = await loadIsland("error", props);
  await loadStyles("pages.css");
  const content = { island: "error", props, layout: null, me: shown.me, now: Date.now() };
  show(url, "none", { ...content, title, crumbs: [{ label: title }] }, module);
}

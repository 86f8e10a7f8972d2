// @ts-check
/// <reference lib="dom" />
import { readBootData } from "./boot_data.js";
import { setDecimalSizes } from "./format.js";
import { hydratePage, markReady } from "./page.js";
import { mountToasts } from "./toast.js";
import { startClock } from "./ui.js";
import { whenIdle } from "./when_idle.js";

/** Brings a page to life: the shell, then the page's island over the markup it was sent with. */
export async function boot() {
  setDecimalSizes(document.documentElement.dataset.units === "si");
  const content = readBootData();
  const { me } = content;
  const signedIn = me === null ? null : await import("./signed_in.js");
  if (me !== null) signedIn?.startSignedIn(me);
  const module = await hydratePage(content);
  if (me !== null) signedIn?.startPages(me, module);
  startClock();
  markReady();
  // Before the connection may be lost.
  whenIdle(mountToasts);
}

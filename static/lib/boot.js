// @ts-check
/// <reference lib="dom" />
import { hydrate } from "preact";
import { readBootData } from "./boot_data.js";
import { html } from "./html.js";
import { mountToasts } from "./toast.js";
import { startClock } from "./ui.js";

// The one script of every page: brings the shell to life, then the page's island over the markup it was sent with.

const { me, now, island, props } = readBootData();
mountToasts();
if (me !== null) {
  const { startSignedIn } = await import("./signed_in.js");
  startSignedIn(me);
}
const root = document.querySelector("[data-island]");
if (island !== null && root !== null) {
  const { Island, prepare } = await import(`../islands/${island}.js`);
  await prepare?.(props);
  hydrate(html`<${Island} ...${props} me=${me} now=${now} />`, root);
}
startClock();
// Not before the effects have run, with which the parts of the page begin to listen: they wait for the next frame.
requestAnimationFrame(() => setTimeout(() => document.documentElement.dataset.ready = ""));

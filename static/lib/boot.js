// @ts-check
/// <reference lib="dom" />
import { hydrate } from "preact";
import { onSessionEnd } from "./api.js";
import { readBootData } from "./boot_data.js";
import { startFrame } from "./frame.js";
import { html } from "./html.js";
import { listenForShortcuts } from "./keys.js";
import { askToSignInAgain } from "./session_dialog.js";
import { mountToasts } from "./toast.js";
import { startClock } from "./ui.js";

// The one script of every page: brings the shell to life, then the page's island over the markup it was sent with.

const boot = readBootData();
mountToasts();
startFrame();
listenForShortcuts();
const me = boot.me;
if (me !== null) onSessionEnd(() => askToSignInAgain(me));

const root = document.querySelector("[data-island]");
if (boot.island !== null && root !== null) {
  const { Island } = await import(`../islands/${boot.island}.js`);
  hydrate(html`<${Island} ...${boot.props} me=${me} now=${boot.now} />`, root);
}
startClock();
document.documentElement.dataset.ready = "";

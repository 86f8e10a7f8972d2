// @ts-check
/// <reference lib="dom" />

// The script of the page that a link's recipient sees. Without it the page downloads, opens folders and takes passwords.
// Its few texts come from the server, in the language of the page.

import { bindPreviews } from "./preview.js";

const dateTime = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium",
  timeStyle: "short",
});

for (const element of document.querySelectorAll("time")) {
  element.title = dateTime.format(new Date(element.dateTime));
}
bindPreviews();
const countdown = document.querySelector("[data-countdown]");
if (countdown instanceof HTMLElement) countDown(countdown);
document.documentElement.dataset.ready = "";

/**
 * Counts down the seconds for which more tries would be refused; the button waits with them.
 * @param {HTMLElement} element
 */
function countDown(element) {
  const end = performance.now() + Number(element.dataset.countdown) * 1000;
  const submit = document.querySelector("button[type=submit]");
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    element.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (submit instanceof HTMLButtonElement) submit.disabled = left > 0;
    if (left > 0) return;
    clearInterval(timer);
    const sentence = element.parentElement;
    if (sentence !== null) sentence.textContent = element.dataset.over ?? "";
  };
  const timer = setInterval(tick, 250);
  tick();
}

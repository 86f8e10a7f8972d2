// @ts-check
/// <reference lib="dom" />

// The script of the page that a link's recipient sees. Without it the page downloads, opens folders and takes passwords.
// Its few texts come from the server, in the language of the page.

/** Bytes of a text that are shown. */
const maxText = 1 << 20;

const dateTime = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium",
  timeStyle: "short",
});

for (const element of document.querySelectorAll("time")) {
  element.title = dateTime.format(new Date(element.dateTime));
}
const button = document.querySelector("button[data-preview]");
if (button instanceof HTMLButtonElement) button.addEventListener("click", () => show(button));
const countdown = document.querySelector("[data-countdown]");
if (countdown instanceof HTMLElement) countDown(countdown);
document.documentElement.dataset.ready = "";

/**
 * One of the page's texts.
 * @param {"noPreview" | "noText" | "rest"} name
 */
function textOf(name) {
  return document.getElementById("failure")?.dataset[name] ?? "";
}

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

/**
 * Shows the file in place of the button: nothing is loaded before, since it may count as a download.
 * @param {HTMLButtonElement} button
 */
async function show(button) {
  const { preview = "", url = "", name = "" } = button.dataset;
  const box = document.getElementById("preview");
  if (box === null) return;
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    const element = await render(preview, url, name);
    box.replaceChildren(element);
    box.hidden = false;
    box.tabIndex = -1;
    button.remove();
    box.focus();
  } catch (error) {
    button.disabled = false;
    button.removeAttribute("aria-busy");
    fail(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} kind
 * @param {string} url
 * @param {string} name
 * @returns {Promise<HTMLElement>}
 */
async function render(kind, url, name) {
  switch (kind) {
    case "image": {
      const image = document.createElement("img");
      image.alt = name;
      await loaded(image, "load", () => image.src = url);
      return image;
    }
    case "video":
    case "audio": {
      const player = document.createElement(kind);
      player.controls = true;
      player.setAttribute("aria-label", name);
      await loaded(player, "loadedmetadata", () => player.src = url);
      return player;
    }
    case "pdf": {
      const frame = document.createElement("iframe");
      frame.title = name;
      frame.src = url;
      return frame;
    }
    default: {
      const pre = document.createElement("pre");
      pre.textContent = await readText(url);
      pre.tabIndex = 0;
      return pre;
    }
  }
}

/**
 * Waits until an element has loaded what `start` gives it.
 * @param {HTMLElement} element
 * @param {string} event
 * @param {() => void} start
 * @returns {Promise<void>}
 */
function loaded(element, event, start) {
  return new Promise((resolve, reject) => {
    element.addEventListener(event, () => resolve(), { once: true });
    const refuse = () => reject(new Error(textOf("noPreview")));
    element.addEventListener("error", refuse, { once: true });
    start();
  });
}

/**
 * The beginning of a text.
 * @param {string} url
 */
async function readText(url) {
  const response = await fetch(url, { headers: { range: `bytes=0-${maxText - 1}` } });
  // An empty file has no first byte.
  if (response.status === 416) return "";
  if (!response.ok) throw new Error(textOf("noText"));
  const whole = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? 0);
  const text = await response.text();
  return whole > maxText ? `${text}\n\n${textOf("rest")}` : text;
}

/** @param {string} message */
function fail(message) {
  const box = document.getElementById("failure");
  if (box === null) return;
  box.textContent = message;
  box.hidden = false;
}

// @ts-check
/// <reference lib="dom" />
import { render } from "preact";
import { request } from "../api.js";
import { html } from "../html.js";
import { PinLinks } from "./pin_links.js";

/** Draws the rail's pinned places anew. Rejects with an `ApiError`. */
export async function drawRailPins() {
  const { pins } = await request("GET", "/api/me/pins", { priority: "prefetch" });
  const group = document.getElementById("rail-pins");
  const list = group?.querySelector("div");
  if (!group || !list) return;
  const names = Object.fromEntries(
    [...document.querySelectorAll("#rail-backends a")].map((link) => [
      decodeURIComponent(link.getAttribute("href")?.split("/").at(-1) ?? ""),
      link.textContent?.trim() ?? "",
    ]),
  );
  group.hidden = pins.length === 0;
  render(html`<${PinLinks} pins=${pins} names=${names} />`, list);
}

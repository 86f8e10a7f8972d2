// @ts-check
import { LazyComponent } from "../lazy_component.js";

/** The preview, which the details and the full screen share. */
export const preview = new LazyComponent(async () => (await import("./preview.js")).Preview);

import { readCookie } from "../http/cookies.ts";

/** How a browser is to show the pages; a missing value means the default. */
export interface Preferences {
  readonly theme?: string;
  readonly density?: string;
  readonly rail?: string;
}

const choices = {
  theme: ["light", "dark"],
  density: ["compact", "regular", "roomy"],
  rail: ["collapsed"],
} as const;

/** What the `ui_*` cookies say. Values that are none of the choices count as absent. */
export function readPreferences(headers: Headers): Preferences {
  const read = (name: keyof typeof choices) => {
    const value = readCookie(headers, `ui_${name}`);
    return choices[name].find((choice) => choice === value);
  };
  return { theme: read("theme"), density: read("density"), rail: read("rail") };
}

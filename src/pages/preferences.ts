import { readCookie } from "../http/cookies.ts";
import { pseudoLanguage } from "./pseudo_language.ts";

/** How a browser is to show the pages; a missing value means the default. */
export interface Preferences {
  readonly theme?: string;
  readonly density?: string;
  readonly rail?: string;
  readonly units?: "si";
  /** How the object browser lists. */
  readonly list?: "table";
  readonly language?: "en" | "de" | typeof pseudoLanguage;
}

const choices = {
  theme: ["light", "dark"],
  density: ["compact", "regular", "roomy"],
  rail: ["collapsed"],
  /** Of sizes. */
  units: ["si"],
  list: ["table"],
  language: ["en", "de", pseudoLanguage],
} as const;

/** What the `ui_*` cookies say. Values that are none of the choices count as absent. */
export function readPreferences(headers: Headers): Preferences {
  const read = <Name extends keyof typeof choices>(name: Name): typeof choices[Name][number] | undefined => {
    const value = readCookie(headers, `ui_${name}`);
    return choices[name].find((choice) => choice === value);
  };
  return {
    theme: read("theme"),
    density: read("density"),
    rail: read("rail"),
    units: read("units"),
    list: read("list"),
    language: read("language"),
  };
}

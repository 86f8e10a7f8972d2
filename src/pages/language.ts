import { messages as german } from "../../static/i18n/de.js";
import { messages as english } from "../../static/i18n/en.js";
import { setDecimalSizes } from "../../static/lib/format.js";
import { type Catalogue, setLanguage } from "../../static/lib/i18n.js";
import { readPreferences } from "./preferences.ts";
import { pseudoCatalogue, pseudoLanguage } from "./pseudo_language.ts";

/** The texts of each language that the dashboard speaks, by its BCP 47 tag. */
export const catalogues = { en: english, de: german } as const satisfies Record<string, Catalogue>;

/** A language that pages can be written in: one that people speak, or the one that shows where texts do not fit. */
export type Language = keyof typeof catalogues | typeof pseudoLanguage;

let pseudo: Catalogue | undefined;

/** The texts of a language, by its tag; `undefined` for one that pages cannot be written in. */
export function catalogueOf(language: string): Catalogue | undefined {
  if (language === pseudoLanguage) return pseudo ??= pseudoCatalogue(english);
  return isSpoken(language) ? catalogues[language] : undefined;
}

function isSpoken(language: string): language is keyof typeof catalogues {
  return Object.hasOwn(catalogues, language);
}

/** The language of a request: the one that was chosen in this browser, else the one that it prefers, else English. */
export function languageOf(headers: Headers): Language {
  const chosen = readPreferences(headers).language;
  return chosen ?? preferred(headers.get("accept-language") ?? "") ?? "en";
}

/**
 * Draws a page as the reader of a request is to see it: in their language, and with sizes in their units. The query
 * `lang=xx` asks for the language that shows where texts do not fit, for as long as the browser is open; not by a link on
 * another site, whose readers have not asked for it.
 */
export function forReader({ url, headers }: Request, draw: () => Response): Response {
  const asksForPseudo = headers.get("sec-fetch-site") !== "cross-site" && URL.canParse(url) &&
    new URL(url).searchParams.get("lang") === "xx";
  setDecimalSizes(readPreferences(headers).units === "si");
  try {
    const response = speaking(asksForPseudo ? pseudoLanguage : languageOf(headers), draw);
    if (asksForPseudo) {
      response.headers.append("set-cookie", `ui_language=${pseudoLanguage}; Path=/; SameSite=Lax`);
    }
    return response;
  } finally {
    setDecimalSizes(false);
  }
}

/**
 * Runs `draw` with texts, numbers and dates in a language. It must not wait for anything: the language is that of the
 * whole program for as long.
 */
export function speaking<T>(language: Language, draw: () => T): T {
  setLanguage(language, catalogueOf(language));
  try {
    return draw();
  } finally {
    setLanguage("en", catalogues.en);
  }
}

/** RFC 9110, 12.5.4, by the language alone: `de-AT` is German. */
function preferred(header: string): keyof typeof catalogues | undefined {
  return header.split(",")
    .map((entry) => {
      const [tag, weight] = entry.trim().toLowerCase().split(/\s*;\s*q\s*=\s*/);
      return { language: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
    .find(isSpoken);
}

// Whatever is drawn outside of a page, such as the sheet of a test, is in English.
setLanguage("en", catalogues.en);

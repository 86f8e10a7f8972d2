// @ts-check

/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/**
 * What is wrong with a setting, and where: the path of the value, such as `rules.0.prefix`.
 * @typedef {{ path: string, message: string }} Problem
 */

/**
 * What the server found wrong with what was sent: the path of the value, `null` where it names none, and what it answered where
 * the backend has no such setting at all.
 * @typedef {{ path: string | null, message: string, unsupported: Failure | null }} Refusal
 */

/** @typedef {"general" | "versioning" | "cors" | "lifecycle" | "policy" | "quota" | "proxy-cors"} SectionName */

/**
 * Where the settings are and who looks at them.
 * @typedef {object} SettingsPlace
 * @property {{ id: string, name: string, region: string, capabilities: Record<string, boolean | "unknown">, last_probe_at?: string }} backend
 * @property {string} bucket
 * @property {string} user name of who is signed in
 * @property {boolean} canWrite
 * @property {boolean} canDelete whether they may delete the bucket
 * @property {boolean} canReadHealth
 */

/**
 * What a section's form is given.
 * @template Value
 * @typedef {object} FormProps
 * @property {Value} value
 * @property {(value: Value) => void} onChange
 * @property {boolean} disabled
 * @property {(path: string) => string | undefined} problemAt what is wrong exactly there
 * @property {Record<string, any>} answer what the API said last
 * @property {SectionEditing<Value> | null} editing `null` until it is loaded
 * @property {SettingsPlace} place
 * @property {() => Promise<void>} reload reads the setting again
 * @property {number} now milliseconds since the epoch
 */

/**
 * A setting that is edited as a form and as JSON: what its first view needs.
 * @template Value
 * @typedef {object} Section
 * @property {SectionName} name also the last part of its API address
 * @property {string} [capability] what the backend must have for it
 * @property {MessageKey} title
 * @property {MessageKey} about one sentence on what it is
 * @property {Value} empty what stands where nothing is set
 * @property {(answer: any) => Value} read the model of the API's answer
 * @property {(value: Value) => string} toText its JSON
 * @property {(value: Value, answer: any) => string} stateWords what is in force, in words
 * @property {(answer: any) => string | null} [locked] why nobody can change it here
 * @property {import("preact").FunctionComponent<FormProps<Value>>} Form
 * @property {() => Promise<SectionEditing<Value>>} loadEditing
 */

/**
 * What changing a setting needs besides: it is loaded once the section is shown.
 * @template Value
 * @typedef {object} SectionEditing
 * @property {(parsed: unknown) => Value | undefined} fromJson what the form shows of JSON; `undefined` for what it cannot show
 * @property {(parsed: unknown, place: SettingsPlace) => Problem[]} problems what the server would refuse
 * @property {(value: Value) => { method: "PUT" | "DELETE", json?: unknown }} toRequest
 * @property {(value: Value, place: SettingsPlace) => string[]} commands that do the same in a shell
 * @property {(answer: any) => any} [complete] adds to an answer of the API what the first view shows of it
 * @property {(value: Value) => any} [words] what the form says about the value
 * @property {(before: Value, after: Value) => boolean} [needsName] whether saving needs the bucket's name to be typed
 * @property {(before: Value, after: Value) => string | null} [warning] said before it is saved
 * @property {ReadonlyArray<readonly [RegExp, string]>} [refusals] words of a backend's refusal, and the field that they are about
 * @property {(value: Value, refusal: Failure, place: SettingsPlace) => string | null} [refusalWords] why a backend may refuse
 *   what is not wrong, in place of what it says; asked about refusals that name no place
 * @property {import("preact").FunctionComponent<Pick<FormProps<Value>, "value" | "onChange" | "disabled" | "place">>} [Tools]
 *   what stands below the form: what can be tried out, also by those who may not change anything
 */

/**
 * A section as it comes with its page: the API's answer, completed for the first view, and its entity tag, nothing when that was not there in time, or why
 * there is none.
 * @typedef {object} FirstSection
 * @property {{ answer: any, etag: string } | null} data
 * @property {Failure | null} error
 * @property {string} again where the page waits longer for it
 */

/**
 * Why something could not be read: an error of the API.
 * @typedef {{ status: number, code: string, message: string, said?: string, requestId?: string, detail?: any }} Failure
 */

/** The sections in the order of their list, with their names in words. */
export const sectionTitles = /** @type {const} */ ({
  "general": "settings.general",
  "versioning": "settings.versioning",
  "cors": "settings.cors",
  "lifecycle": "settings.lifecycle",
  "policy": "settings.policy",
  "quota": "settings.quota",
  "proxy-cors": "settings.proxy_cors",
});

/** What a backend must have for a section. */
export const sectionCapabilities =
  /** @type {Readonly<Partial<Record<SectionName, "versioning" | "cors" | "lifecycle" | "policy">>>} */ ({
    versioning: "versioning",
    cors: "cors",
    lifecycle: "lifecycle",
    policy: "policy",
  });

/** The names of all sections. */
export const sectionNames = /** @type {readonly SectionName[]} */ (Object.keys(sectionTitles));

/**
 * Whether this names a section.
 * @param {string} name
 * @returns {name is SectionName}
 */
export function isSectionName(name) {
  return Object.hasOwn(sectionTitles, name);
}

/**
 * The page of a section of a bucket's settings.
 * @param {string} backend id
 * @param {string} bucket
 * @param {SectionName} section
 */
export function settingsPage(backend, bucket, section) {
  return `/b/${encodeURIComponent(backend)}/${encodeURIComponent(bucket)}/settings/${section}`;
}

/**
 * The page with what a bucket holds.
 * @param {string} backend id
 * @param {string} bucket
 */
export function insightsPage(backend, bucket) {
  return `/b/${encodeURIComponent(backend)}/${encodeURIComponent(bucket)}/insights`;
}

/**
 * JSON as the editors write it.
 * @param {unknown} value
 */
export function prettyJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

// @ts-check
/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError, noAnswer, send } from "../api.js";
import { bucketUrl } from "../browse/object_urls.js";
import { keepDraft, keepEarlier, readDraft, readEarlier } from "./drafts.js";

/** @import { Failure, FirstSection, Problem, Refusal, Section, SectionEditing, SettingsPlace } from "./section.js" */
/** @import { LocatedJson } from "./json_locator.js" */

/**
 * What is loaded once a section is shown: what only changing it needs.
 * @template Value
 * @typedef {{ json: typeof import("./json_faults.js"), editing: SectionEditing<Value> }} EditorTools
 */

/**
 * What an editor shows and what it can do.
 * @template Value
 * @typedef {object} EditorState
 * @property {EditorTools<Value> | null} tools `null` until they are there: nothing is checked before
 * @property {boolean} loading
 * @property {Failure | null} loadError
 * @property {boolean} known whether the API has said what is in force
 * @property {Record<string, any>} answer what it said last
 * @property {Value} saved what is in force
 * @property {string} savedText
 * @property {Value} value what is being edited; while it is stale, what it last was
 * @property {boolean} stale whether the JSON is nothing that the form can show
 * @property {string} text
 * @property {LocatedJson} json
 * @property {Problem[]} problems
 * @property {Refusal | null} refusal what the server found wrong with what was sent last, as long as it stands there
 * @property {boolean} dirty
 * @property {boolean} restored whether unsaved changes of an earlier visit were brought back
 * @property {import("./drafts.js").KeptText | null} earlier
 * @property {(value: Value) => void} setValue
 * @property {(text: string) => void} setText
 * @property {() => void} revert
 * @property {() => Promise<void>} load
 * @property {() => Promise<void>} save
 * @property {(refusal: Refusal) => void} setRefusal
 */

/** @type {LocatedJson} */
const notRead = { value: undefined, error: null, offsets: new Map() };

/**
 * The state of the editor of a section. The text is what counts: the form writes it anew, and follows it as long as it says
 * something that the section can be.
 * @template Value
 * @param {Section<Value>} section
 * @param {SettingsPlace} place
 * @param {FirstSection} first
 * @returns {EditorState<Value>}
 */
export function useEditorState(section, place, first) {
  const url = `${bucketUrl(place.backend.id, place.bucket)}/${section.name}`;
  const [tools, setTools] = useState(/** @type {EditorTools<Value> | null} */ (null));
  const lacking = section.capability !== undefined &&
    place.backend.capabilities[section.capability] === false;
  const isLate = first.data === null && first.error === null && !lacking;
  const [loading, setLoading] = useState(isLate);
  const [loadError, setLoadError] = useState(first.error);
  const [stored, setStored] = useState(() => storedOf(section, first.data));
  const [text, writeText] = useState(stored.text);
  const [refusal, setRefusal] = useState(/** @type {Refusal | null} */ (null));
  const [restored, setRestored] = useState(false);
  const [earlier, setEarlier] = useState(/** @type {EditorState<Value>["earlier"]} */ (null));
  const shown = useRef(stored.value);
  const json = tools === null ? notRead : tools.json.readDocument(text);
  const parsed = tools === null
    ? shown.current
    : json.error === null
    ? tools.editing.fromJson(json.value)
    : undefined;
  if (parsed !== undefined) shown.current = parsed;
  const value = shown.current;
  const problems = tools !== null && json.error === null ? tools.editing.problems(json.value, place) : [];
  const dirty = text !== stored.text;

  const setText = (/** @type {string} */ changed) => {
    setRefusal(null);
    writeText(changed);
  };
  /**
   * @param {SectionEditing<Value>} editing
   * @param {string | null} kept the text that stays in the editor
   */
  const fetchStored = async ({ complete }, kept) => {
    const response = await send("GET", url);
    const answer = await response.json();
    const fresh = storedOf(section, {
      answer: complete === undefined ? answer : complete(answer),
      etag: response.headers.get("etag") ?? "",
    });
    setStored(fresh);
    if (kept === null) shown.current = fresh.value;
    setText(kept ?? fresh.text);
    return fresh.text;
  };
  /** @param {string} current what is in force */
  const restore = (current) => {
    const draft = readDraft(place, section.name);
    setRestored(draft !== null && draft !== current);
    setEarlier(readEarlier(place, section.name));
    if (draft !== null) setText(draft);
  };
  /** Loads what edits the section. Rejects with an `ApiError` when it cannot be had. */
  const prepare = async () => {
    if (tools !== null) return tools.editing;
    const [json, editing] = await Promise.all([import("./json_faults.js"), section.loadEditing()]).catch(
      () => {
        throw noAnswer();
      },
    );
    setTools({ json, editing });
    return editing;
  };
  const load = async () => {
    setLoading(true);
    setLoadError(null);
    try {
      const current = await fetchStored(await prepare(), dirty ? text : null);
      if (!dirty) restore(current);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setLoadError(error);
    }
    setLoading(false);
  };
  const save = async () => {
    if (tools === null) return;
    const { method, json: body } = tools.editing.toRequest(value);
    const { text: before, etag } = stored;
    await send(method, url, { json: body, headers: etag === "" ? {} : { "if-match": etag } });
    keepDraft(place, section.name, null);
    keepEarlier(place, section.name, before);
    await fetchStored(tools.editing, null);
    setRestored(false);
    setEarlier(readEarlier(place, section.name));
  };
  useEffect(() => {
    const start = async () => {
      if (isLate) return await load();
      await prepare();
      if (first.data !== null) restore(stored.text);
    };
    start().catch(setLoadError);
  }, []);
  useEffect(() => {
    if (tools !== null && !loading && loadError === null) {
      keepDraft(place, section.name, dirty ? text : null);
    }
  }, [text, dirty, loading, tools]);
  // With what is shown, and not a moment later: whoever reads that a change is unsaved may leave at once.
  useLayoutEffect(() => {
    if (!dirty) return;
    const ask = (/** @type {BeforeUnloadEvent} */ event) => {
      keepDraft(place, section.name, text);
      event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [text, dirty]);

  return {
    tools,
    loading,
    loadError,
    known: stored.known,
    answer: stored.answer,
    saved: stored.value,
    savedText: stored.text,
    value,
    stale: parsed === undefined,
    text,
    json,
    problems: [...problems, ...placed(refusal)],
    refusal,
    dirty,
    restored,
    earlier,
    setValue(changed) {
      shown.current = changed;
      setText(section.toText(changed));
    },
    setText,
    revert() {
      setRestored(false);
      setText(stored.text);
    },
    load: () => load(),
    save,
    setRefusal,
  };
}

/**
 * A refusal as a problem at its place. One without a place is none: the same may well be sent again.
 * @param {Refusal | null} refusal
 * @returns {Problem[]}
 */
function placed(refusal) {
  if (refusal === null || refusal.path === null) return [];
  const { path, message } = refusal;
  return [{ path, message }];
}

/**
 * What is in force; what stands where nothing is set, as long as that is not known.
 * @template Value
 * @param {Section<Value>} section
 * @param {FirstSection["data"]} data
 */
function storedOf(section, data) {
  /** @type {Value} */
  const value = data === null ? section.empty : section.read(data.answer);
  const { answer = {}, etag = "" } = data ?? {};
  return { known: data !== null, answer, value, text: section.toText(value), etag };
}

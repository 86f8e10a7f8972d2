// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";

/**
 * What is read from an object for a view of it. Reading ends with the view.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} read
 * @param {readonly unknown[]} inputs what it depends on
 * @returns {{ value?: T, error: string }} `value` once it is there
 */
export function useReading(read, inputs) {
  const [state, setState] = useState(/** @type {{ value?: T, error: string }} */ ({ error: "" }));
  useEffect(() => {
    const abort = new AbortController();
    setState({ error: "" });
    read(abort.signal).then((value) => setState({ value, error: "" }), (failure) => {
      if (!abort.signal.aborted) setState({ error: failure.message });
    });
    return () => abort.abort();
  }, inputs);
  return state;
}

// @ts-check
import { createContext } from "preact";
import { useContext, useId } from "preact/hooks";

/**
 * Goes before the ids of everything inside. Preact counts ids in each tree it renders anew, and a dialog is a tree beside
 * the page's.
 */
export const IdScope = createContext("");

/** An id for an element, the same on the server and in the browser and the only one of its kind in the document. */
export function useElementId() {
  return useContext(IdScope) + useId();
}

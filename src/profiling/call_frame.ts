import type { Runtime } from "node:inspector";
import type { Frame } from "./pprof.ts";

/** Where this program's sources are, in the checkout or inside the executable. */
const sourceRoot = new URL("../../", import.meta.url).href;

/**
 * Names a function for people who read a profile: as V8 knows it, then its file. pprof tells functions apart by that name
 * alone. One without a name has its position too, which is that in the JavaScript that the runtime makes of the source:
 * for the same reason pprof gets no line numbers.
 */
export function frameOf({ functionName, url, lineNumber, columnNumber }: Runtime.CallFrame): Frame {
  const file = sourceName(url);
  if (functionName !== "") return { name: file === "" ? functionName : `${functionName} ${file}`, file };
  // V8 has no position for the body of a module.
  if (columnNumber < 0) return { name: `(module) ${file}`, file };
  return { name: `(anonymous) ${file}:${lineNumber + 1}:${columnNumber + 1}`, file };
}

/** Shortens the URL of a script to what says nothing of the machine it runs on. */
function sourceName(url: string): string {
  const dependency = url.lastIndexOf("/node_modules/");
  if (dependency >= 0) return url.slice(dependency + 1);
  if (url.startsWith(sourceRoot)) return url.slice(sourceRoot.length);
  // What the runtime consists of.
  return /^(?:ext|node|wasm):/.test(url) ? url : "";
}

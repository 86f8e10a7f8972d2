import assert from "node:assert/strict";
import { frameOf } from "../../src/profiling/call_frame.ts";

const sourceRoot = new URL("../../", import.meta.url).href;

/** The frame of a function at the 5th line and 3rd column of a script. */
function frame(functionName: string, url: string) {
  return frameOf({ functionName, url, scriptId: "7", lineNumber: 4, columnNumber: 2 });
}

Deno.test("functions are named with their source file, and those without a name with their position", () => {
  const file = "src/http/server.ts";
  assert.deepEqual(frame("serve", sourceRoot + file), { name: `serve ${file}`, file });
  assert.deepEqual(frame("", sourceRoot + file), { name: `(anonymous) ${file}:5:3`, file });
  const module = {
    functionName: "",
    url: sourceRoot + file,
    scriptId: "7",
    lineNumber: -1,
    columnNumber: -1,
  };
  assert.deepEqual(frameOf(module), { name: `(module) ${file}`, file });
  assert.deepEqual(frame("(garbage collector)", ""), { name: "(garbage collector)", file: "" });
});

Deno.test("nothing of a file's name says where on the machine it is", () => {
  const dependency = "node_modules/zod/v4/core.js";
  const fileOf = (url: string) => frame("f", url).file;
  assert.equal(fileOf(`${sourceRoot}node_modules/.deno/zod@4.6.7/${dependency}`), dependency);
  assert.equal(fileOf(`file:///home/somebody/.cache/${dependency}`), dependency);
  assert.equal(fileOf("ext:core/01_core.js"), "ext:core/01_core.js");
  assert.equal(fileOf("node:inspector"), "node:inspector");
  for (
    const url of ["file:///home/somebody/main.ts", "data:text/javascript,secret", "https://h/x.js?token=1"]
  ) {
    assert.deepEqual(frame("f", url), { name: "f", file: "" }, url);
    assert.deepEqual(frame("", url), { name: "(anonymous) :5:3", file: "" }, url);
  }
});

import assert from "node:assert/strict";
import { safeFileName, safeFolders } from "../../src/shares/uploads/file_name.ts";

const size = (text: string) => new TextEncoder().encode(text).length;

Deno.test("the name of a sent file is one segment that shows what it is", () => {
  const names: Record<string, string> = {
    "report.pdf": "report.pdf",
    "../../etc/passwd": "passwd",
    "..\\..\\boot.ini": "boot.ini",
    "C:\\Users\\ada\\notes.txt": "notes.txt",
    "/absolute.txt": "absolute.txt",
    "..": "file",
    ".": "file",
    "...": "file",
    "folder/": "file",
    "": "file",
    "  spaced \t out .txt ": "spaced out .txt",
    "line\r\nbreak\0.txt": "linebreak.txt",
    "trailing. . ": "trailing",
    ".profile": "profile",
    "..hidden.txt": "hidden.txt",
    "photo\u202Egpj.exe": "photogpj.exe",
    "%2e%2e%2fescape.txt": "%2e%2e%2fescape.txt",
    "ü 日本 👩‍🚀.txt": "ü 日本 👩‍🚀.txt",
    "U\u0308ber.txt": "Über.txt",
    "\ud800.txt": "\ufffd.txt",
    '<img src=x onerror="alert(1)">.html': '<img src=x onerror="alert(1)">.html',
  };
  for (const [given, kept] of Object.entries(names)) assert.equal(safeFileName(given), kept, given);
});

Deno.test("a long name keeps its ending, and no character is cut in two", () => {
  for (const stem of ["x", "ü", "日", "👩"]) {
    const name = safeFileName(`${stem.repeat(1000)}.tar`);
    assert.ok(size(name) <= 200 && size(name) > 190, `${size(name)}`);
    assert.match(name, /\.tar$/);
    assert.ok(name.isWellFormed());
  }
  assert.equal(size(safeFileName(`a.${"x".repeat(1000)}`)), 200);
});

Deno.test("the folders of a sent file lead nowhere else", () => {
  const folders: Record<string, string> = {
    "": "",
    "/": "",
    "holiday/day 1": "holiday/day 1/",
    "/holiday//day 1/": "holiday/day 1/",
    "..": "",
    "../../etc": "etc/",
    "a/./b/../c": "a/b/c/",
    "..\\..\\boot": "boot/",
    "a/\0/\r\n/b": "a/b/",
    ".git/hooks": "git/hooks/",
    "a/ . /b": "a/b/",
    "%2e%2e/%2f": "%2e%2e/%2f/",
    "\u202Egpj/x": "gpj/x/",
  };
  for (const [given, kept] of Object.entries(folders)) assert.equal(safeFolders(given), kept, given);
  assert.ok(size(safeFolders("x".repeat(1000))) <= 201);
});

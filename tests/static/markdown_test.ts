import assert from "node:assert/strict";
import { inlines, markdownBlocks } from "../../static/lib/preview/markdown.js";

const text = (value: string) => ({ kind: "text", text: value });

Deno.test("markdown: the blocks of a read-me file", () => {
  const blocks = markdownBlocks(
    "# Title #\n\nOne\ntwo\n\n- a\n- b\n  - c\n\n1. x\n2. y\n\n- [x] done\n- [ ] open\n\n" +
      "> quoted\n> more\n\n```js\n# no heading\n```\n\n---\n\n| a | b |\n|---|:-:|\n| 1 | `x|y` |\n\nUnder\n=====\n",
  );
  assert.deepEqual(blocks.map(({ kind }) => kind), [
    "heading",
    "paragraph",
    "list",
    "list",
    "list",
    "quote",
    "code",
    "rule",
    "table",
    "heading",
  ]);
  assert.deepEqual(blocks[0], { kind: "heading", level: 1, children: [text("Title")] });
  assert.deepEqual(blocks[1], { kind: "paragraph", children: [text("One\ntwo")] });
  const nested = blocks[2].kind === "list" ? blocks[2].items[1].children : [];
  assert.deepEqual(nested.map(({ kind }) => kind), ["paragraph", "list"]);
  const tasks = blocks[4].kind === "list" ? blocks[4].items.map(({ checked }) => checked) : [];
  assert.deepEqual(tasks, [true, false]);
  assert.deepEqual(blocks[6], { kind: "code", text: "# no heading" });
});

Deno.test("markdown: runs of text", () => {
  assert.deepEqual(inlines("a **b _c_** `d *e*` ~~f~~ \\*g\\*"), [
    text("a "),
    { kind: "strong", children: [text("b "), { kind: "emphasis", children: [text("c")] }] },
    text(" "),
    { kind: "code", text: "d *e*" },
    text(" "),
    { kind: "strike", children: [text("f")] },
    text(" "),
    text("*"),
    text("g"),
    text("*"),
  ]);
  assert.deepEqual(inlines("snake_case_name 2 * 3 * 4"), [text("snake_case_name 2 * 3 * 4")]);
});

Deno.test("markdown: links lead to the web or to mail, anything else stays text, and so does HTML", () => {
  const link = (href: string, label: string) => ({ kind: "link", href, children: [text(label)] });
  assert.deepEqual(inlines("[a](https://example.org/x?y=1)"), [link("https://example.org/x?y=1", "a")]);
  assert.deepEqual(inlines("[m](mailto:ada@example.org)"), [link("mailto:ada@example.org", "m")]);
  assert.deepEqual(inlines("see https://example.org/a."), [
    text("see "),
    link("https://example.org/a", "https://example.org/a"),
    text("."),
  ]);
  const hostile = [
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert)",
    "[x](data:text/html,hi)",
    "[x](vbscript:x)",
    "[x](//evil.example)",
    "[x](/admin/users)",
    "![x](https://tracker.example/p.png)",
    "<a href='javascript:alert(1)'>x</a>",
    "<script>alert(1)</script>",
  ];
  for (const source of hostile) {
    const runs = inlines(source);
    const kinds = new Set(runs.map((run) => run.kind === "link" ? run.href.split(":")[0] : run.kind));
    kinds.delete("text");
    kinds.delete("https");
    assert.deepEqual([...kinds], [], source);
  }
});

Deno.test("markdown: hostile texts end soon", () => {
  const start = performance.now();
  for (const piece of [">", "- ", "*", "[", "`", "|", "_a", "**", "<", "~~a", "1. ", "[](", "\\", "-", " "]) {
    markdownBlocks(piece.repeat(20_000));
    markdownBlocks(`${piece}\n`.repeat(5_000));
    // A long run of one thing that comes to nothing, in a paragraph and below what could be the head of a table.
    markdownBlocks(`a${piece.repeat(200_000)}b`);
    markdownBlocks(`a|b\n${piece.repeat(200_000)}b`);
  }
  // One that is looked through again from each of its characters takes minutes.
  assert.ok(performance.now() - start < 20_000);
});

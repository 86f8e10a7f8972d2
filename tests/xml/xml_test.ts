import assert from "node:assert/strict";
import fc from "fast-check";
import { childOf, parseXml, textOf, XmlError } from "../../src/xml/reader.ts";
import { element, xmlDocument } from "../../src/xml/writer.ts";

Deno.test("elements, text, references, CDATA, comments and prefixes are read", () => {
  const root = parseXml(`<?xml version="1.0"?>
    <!-- made by hand -->
    <s3:Delete xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/">
      <Quiet/>
      <Object kind='x'><Key> a&amp;&lt;&#x1F600;&#228;<![CDATA[<b>&amp;]]></Key></Object>
    </s3:Delete>`);
  assert.equal(root.name, "Delete");
  assert.deepEqual(root.children.map(({ name }) => name), ["Quiet", "Object"]);
  assert.equal(textOf(root, "Quiet"), "");
  assert.equal(textOf(root.children[1], "Key"), " a&<😀ä<b>&amp;");
  assert.equal(childOf(root, "Other"), undefined);
});

Deno.test("what is not well-formed, or more than S3 sends, is refused", () => {
  const broken = [
    "",
    "text",
    "<a>",
    "<a></b>",
    "</a>",
    "<a/><b/>",
    "<a/>text",
    "<a><b></a></b>",
    "<a b></a>",
    "<a>&unknown;</a>",
    "<a>& </a>",
    "<a>&#xD800;</a>",
    "<a>&#x110000;</a>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
    "<a><!-- ",
    "<a>".repeat(20) + "</a>".repeat(20),
  ];
  for (const text of broken) assert.throws(() => parseXml(text), XmlError, text);
});

Deno.test("whatever text is written is read again", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.equal(textOf(parseXml(xmlDocument(element("a", [element("b", text)]))), "b"), text);
  }));
});

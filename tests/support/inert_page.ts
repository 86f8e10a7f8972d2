import assert from "node:assert/strict";

/** A start tag as our pages write it: every value in double quotes. */
const startTag = /<([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gi;

/**
 * Asserts that a page has no inline script, style or handler in it, nothing of another host, and no tag that is not written
 * as ours are.
 */
export function assertInert(text: string, path: string): void {
  const tags = [...text.matchAll(startTag)];
  const places = new Set(tags.map(({ index }) => index));
  for (const { index } of text.matchAll(/<[a-z!?]/gi)) {
    if (index > 0) assert.ok(places.has(index), `${path}: ${text.slice(index, index + 100)}`);
  }
  for (const [tag, name, attributes] of tags) {
    assert.notEqual(name.toLowerCase(), "style", path);
    if (name.toLowerCase() === "script") {
      assert.match(tag, /^<script type="(module" src="\/static\/|application\/json" id="boot">)/, path);
    }
    for (const [, attribute, value] of attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
      assert.doesNotMatch(attribute, /^(?:style$|on)/i, `${path}: ${tag}`);
      if (/^(?:href|src|action|formaction)$/i.test(attribute)) {
        assert.match(value, /^(\/(?!\/)|#|\?)/, `${path} points to ${value}`);
      }
    }
  }
}

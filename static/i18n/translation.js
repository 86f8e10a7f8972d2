// @ts-check

/**
 * A part of a catalogue in another language: a text for each key, and none besides.
 * @template Part
 * @typedef {{ readonly [Key in keyof Part]: import("../lib/i18n.js").Message }} Translation
 */

export {};

// @ts-check
/// <reference lib="dom" />

/**
 * Whether the reader has asked their browser to save data. Only some browsers tell.
 * https://wicg.github.io/savedata/#savedata-attribute
 */
export function savesData() {
  return /** @type {{ connection?: { saveData?: boolean } }} */ (navigator).connection?.saveData === true;
}

// @ts-check

/**
 * A text as a string literal of Python, JavaScript or Go, which read JSON's alike.
 * @param {string} text
 */
export function stringLiteral(text) {
  return JSON.stringify(text);
}

/**
 * A text as a string of Terraform's language, in which `${` and `%{` begin templates.
 * @param {string} text
 */
export function terraformString(text) {
  return JSON.stringify(text).replaceAll(/[$%](?={)/g, "$&$&");
}

/**
 * A text as the content of an XML element.
 * @param {string} text
 */
export function xmlText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The path of a request's URL without parsing the rest of it, which may not be valid. */
export function requestPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start < 0 ? "/" : url.slice(start).split(/[?#]/, 1)[0];
}

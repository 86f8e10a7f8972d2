/**
 * `target` when it is a path of this very site, else `/`: where to go after a sign-in must not be for a link's author to
 * choose. Checked by resolving it the way a browser will, which takes `//host`, `/\host` and `/<tab>/host` for other sites.
 */
export function localPath(target: string | null | undefined): string {
  const here = "http://localhost";
  if (!target?.startsWith("/") || !URL.canParse(target, here)) return "/";
  const url = new URL(target, here);
  // Resolving dot segments can bring `//host` about.
  return url.origin === here && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : "/";
}

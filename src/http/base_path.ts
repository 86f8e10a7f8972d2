import { requestPath } from "./request_path.ts";

/**
 * The path below which browsers find the program, that of `server.public_url`: `/storage` for `https://example.com/storage`,
 * empty for a program that has the host to itself.
 */
export function basePathOf(publicUrl: string): string {
  return publicUrl === "" ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
}

/**
 * A request's URL as the routes know it: without the base path, which a proxy may or may not have taken away. It is taken
 * away once and from the path as it was sent, so that nothing that a parser would make of `%2F` or `..` is taken for it.
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === "") return url;
  const path = requestPath(url);
  if (!path.startsWith(`${basePath}/`)) return url;
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return url.slice(0, start) + url.slice(start + basePath.length);
}

/** Puts the base path before what tells a browser a path of ours: `Location`, and the `Path` of cookies. */
export function addBasePath(headers: Headers, basePath: string): void {
  if (basePath === "") return;
  const location = headers.get("location");
  if (location !== null) headers.set("location", below(basePath, location));
  const cookies = headers.getSetCookie();
  if (cookies.length === 0) return;
  headers.delete("set-cookie");
  for (const value of cookies) {
    const moved = value.replace(
      /(?<=; Path=)[^;]+/,
      (path) => path === "/" ? basePath : below(basePath, path),
    );
    headers.append("set-cookie", moved);
  }
}

/** An address below the base path. One of another host, or that has it already, stays: no path of ours begins with it. */
function below(basePath: string, address: string): string {
  const isOurs = address.startsWith("/") && !address.startsWith("//");
  return isOurs && !address.startsWith(`${basePath}/`) ? basePath + address : address;
}

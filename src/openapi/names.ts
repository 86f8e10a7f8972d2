import type { Method } from "../http/route.ts";

/** Groups of operations by what their paths begin with; the first one that matches counts. */
const tagsByPath: readonly (readonly [RegExp, string])[] = [
  [/^\/(api\/)?auth\//, "Signing in"],
  [/^\/api\/(me|admin)\/s3-|^\/api\/admin\/s3-/, "S3 endpoint"],
  [/^\/api\/(me\/(pins|recent-buckets)|search)/, "Search and pins"],
  [/^\/api\/me(\/|$)/, "Own account"],
  [/^\/api\/admin\/users/, "Users"],
  [/^\/api\/admin\/audit/, "Audit"],
  [/^\/(api\/shares|s\/)/, "Shares"],
  [/^\/api\/jobs/, "Jobs"],
  [/\/buckets\/\{bucket\}\/multipart/, "Multipart uploads"],
  [/\/buckets\/\{bucket\}\/(objects?(\/|$)|presign)/, "Objects"],
  [/\/buckets\/\{bucket\}\/(quota|usage|prefix-size|size-tracking)/, "Quotas and usage"],
  [/^\/api\/backends\/\{bid\}\/buckets/, "Buckets"],
  [/^(\/api)?(\/admin)?\/backends/, "Backends"],
];

/** The group that the operations of a path belong to. */
export function tagOf(path: string): string {
  return tagsByPath.find(([pattern]) => pattern.test(path))?.[1] ?? "Service";
}

/** The stable name of an operation: `getApiBackendsByBid` for GET `/api/backends/{bid}`. */
export function operationId(method: Method, path: string): string {
  const words = path.split("/").filter((segment) => segment !== "").flatMap((segment) => {
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    return parameter === undefined ? segment.split(/[^A-Za-z0-9]+/) : ["by", parameter];
  });
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** The names of a path's parameters, in their order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

import type { Problem } from "../problem.ts";

/** Renders `problem` as the API's error body. */
export function problemResponse(problem: Problem): Response {
  const { status, code, message, detail, headers } = problem;
  return Response.json({ error: { code, message, detail } }, {
    status,
    headers: { "cache-control": "no-store", ...headers },
  });
}

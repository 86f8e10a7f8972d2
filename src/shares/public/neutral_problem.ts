import { notFound, Problem } from "../../problem.ts";

/** The problem for what was shared and is not there any more, or for what is not part of a share. */
export function nothingThere(): Problem {
  return notFound("There is nothing here any more.");
}

/**
 * Runs what asks the storage behind a share. What it throws is told to recipients in words that name neither bucket nor
 * backend, and without what the backend has said: that is for the log.
 */
export async function fromStorage<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? neutralProblem(error) : error;
  }
}

/** A problem of the storage as recipients are told it. */
export function neutralProblem(problem: Problem): Problem {
  const { status, code, headers } = problem;
  if (status === 404 || code === "invalid_key" || code === "invalid_prefix") return nothingThere();
  if (status === 416) return new Problem(416, code, "The range lies outside of the file.", { headers });
  if (status === 412) return new Problem(412, code, "The file is not in the state that was asked for.");
  if (status === 400) return new Problem(400, "bad_request", "This request cannot be answered.");
  if (status !== 504) return storageUnavailable(problem);
  return new Problem(504, "backend_timeout", "The storage did not answer in time. Try again later.", {
    cause: problem,
  });
}

/** 502 `backend_error`: what is shared cannot be reached, for a reason that is for the log. */
export function storageUnavailable(cause: Problem): Problem {
  const message = "The storage behind this link does not work at the moment. Try again later.";
  return new Problem(502, "backend_error", message, { cause });
}

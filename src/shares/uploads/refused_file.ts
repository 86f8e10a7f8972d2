import { badRequest, conflict, Problem, tooLarge } from "../../problem.ts";
import { storageUnavailable } from "../public/neutral_problem.ts";

/** Why a file could not be stored, as its sender is told: in words that name neither bucket nor backend nor any other file. */
export function refusedFile(problem: Problem): Problem {
  const { status, code, message } = problem;
  if (status === 507) {
    return new Problem(507, "quota_exceeded", "There is no room left for this file where it would go.");
  }
  if (status === 413) return tooLarge("The file is larger than the storage takes.");
  if (status === 409 || status === 412) return conflict("The file could not be stored. Send it again.");
  if (status === 504) {
    return new Problem(504, "backend_timeout", "The storage did not answer in time. Try again later.", {
      cause: problem,
    });
  }
  if (code === "invalid_key") return unusableName();
  // What the sender has done to the connection: the storage has no part in it.
  if (code === "bad_request" && problem.detail === undefined) return badRequest(message);
  return storageUnavailable(problem);
}

/** 400 `invalid_key`: there can be no object that is called so. */
export function unusableName(): Problem {
  const message = "A file of this name, in folders of these names, cannot be stored: give them shorter ones.";
  return new Problem(400, "invalid_key", message);
}

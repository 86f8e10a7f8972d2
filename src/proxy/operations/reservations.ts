import type { ClientAnswer } from "../../http1/client_answer.ts";
import { QuotaExceededError, UsageUnknownError } from "../../quotas/problem.ts";
import type { Reservation } from "../../quotas/reservation.ts";
import { type RequestResult, S3Error } from "../s3_error.ts";

/** Waits for room under a quota. Throws {@link S3Error} `QuotaExceeded`, or `ServiceUnavailable` when usage is not known. */
export async function reserved<T>(reserve: () => T | Promise<T>): Promise<T> {
  try {
    return await reserve();
  } catch (error) {
    if (error instanceof QuotaExceededError) {
      throw new S3Error("QuotaExceeded", error.message, { result: "quota_exceeded", cause: error });
    }
    if (error instanceof UsageUnknownError) {
      throw new S3Error("ServiceUnavailable", error.message, { result: "upstream_error", cause: error });
    }
    throw error;
  }
}

/** Ends a reservation by what became of the request it was made for. */
export function settle(reservation: Reservation, answer: ClientAnswer): void {
  if (answer.head.status < 300) reservation.commit();
  // A server that failed may have stored the object all the same.
  else if (answer.head.status >= 500) reservation.keep();
  else reservation.release();
}

/** Results of requests that may have reached the upstream. */
const asked: readonly RequestResult[] = ["upstream_error", "client_gone", "internal_error"];

/**
 * Runs the work that a reservation was made for. What has not ended it by then: a failure before anything was sent to the upstream
 * releases it, and otherwise nobody knows whether it was a success.
 */
export async function underReservation(reservation: Reservation, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof S3Error && !asked.includes(error.result)) reservation.release();
    throw error;
  } finally {
    reservation.keep();
  }
}

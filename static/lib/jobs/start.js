// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";

/** @import { Job } from "./job.js" */

/**
 * Asks for something that the server goes on with by itself.
 *
 * @param {string} method
 * @param {string} path of the API
 * @param {unknown} json
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<Job>} rejects with an `ApiError` where it was refused
 */
export async function startJob(method, path, json, { signal } = {}) {
  const { job } = await request(method, path, { json, signal, headers: { prefer: "respond-async" } });
  return job;
}

/**
 * Stops a job after the objects under way; a second time, breaks these off too.
 *
 * @param {string} id
 * @returns {Promise<Job>}
 */
export async function stopJob(id) {
  const { job } = await request("DELETE", `/api/jobs/${id}`);
  return job;
}

/**
 * Does again what failed in a job, and goes on where it has ended.
 *
 * @param {string} id
 * @returns {Promise<Job>}
 */
export async function retryJob(id) {
  const { job } = await request("POST", `/api/jobs/${id}/retry`);
  return job;
}

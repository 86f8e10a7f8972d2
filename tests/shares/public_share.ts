import { backendId, bucketName, type TestBucket } from "../support/bucket.ts";
import { type Client, json } from "../support/http_client.ts";

/** A share as the API answers it, as far as tests of its recipients need it. */
export interface MadeShare {
  readonly id: number;
  readonly code: string;
  /** Path of its link. */
  readonly path: string;
}

/** Shares a key of the test's bucket with the given settings. */
export async function share(
  { client }: TestBucket,
  key: string,
  settings: Record<string, unknown> = {},
): Promise<MadeShare> {
  const body = { backend_id: backendId, bucket: bucketName, key, ...settings };
  const { id, code } = await json(client.post("/api/shares", { json: body }), 201);
  return { id, code, path: `/s/${code}` };
}

/** How often a share was downloaded. */
export async function downloadCount({ client }: TestBucket, { id }: MadeShare): Promise<number> {
  return (await json(client.get(`/api/shares/${id}`))).download_count;
}

/** The rows about access to shares, newest first. */
// deno-lint-ignore no-explicit-any
export async function accessRows({ client }: TestBucket, limit = 100): Promise<any[]> {
  return (await json(client.get(`/api/admin/audit?action=share.access&limit=${limit}`))).events;
}

/** Unlocks a share for `recipient`, who then has its cookie. */
export function unlock(recipient: Client, { path }: MadeShare, password: string): Promise<Response> {
  return recipient.post(`${path}/unlock`, { json: { password } });
}

import { backendId, bucketName, type TestBucket } from "../support/bucket.ts";
import { type Client, json } from "../support/http_client.ts";
import type { MadeShare } from "./public_share.ts";

/** Makes a link by which files are sent into the folder `key` of the test's bucket. */
export async function askForFiles(
  { client }: Pick<TestBucket, "client">,
  key: string,
  settings: Record<string, unknown> = {},
): Promise<MadeShare> {
  const body = { backend_id: backendId, bucket: bucketName, kind: "upload", key, ...settings };
  const { id, code } = await json(client.post("/api/shares", { json: body }), 201);
  return { id, code, path: `/s/${code}` };
}

/** Sends a file by a link. */
export function sendFile(
  sender: Client,
  { path }: MadeShare,
  name: string,
  body: BodyInit,
  headers?: Record<string, string>,
): Promise<Response> {
  return sender.post(`${path}/files?name=${encodeURIComponent(name)}`, { body, headers });
}

/** Sends a file that was in folders. */
export function sendFrom(
  sender: Client,
  { path }: MadeShare,
  folder: string,
  name: string,
  body: BodyInit = "x",
): Promise<Response> {
  return sender.post(`${path}/files?${new URLSearchParams({ name, folder })}`, { body });
}

/** The keys of the test's bucket below a prefix. */
export async function keysBelow({ client, bucket }: TestBucket, prefix: string): Promise<string[]> {
  const page = await json(
    client.get(`${bucket}/objects?delimiter=&prefix=${encodeURIComponent(prefix)}`),
  );
  return page.objects.map(({ key }: { key: string }) => key);
}

/** What has been sent by a link, as its maker sees it. */
// deno-lint-ignore no-explicit-any
export async function uploadOf({ client }: TestBucket, { id }: MadeShare): Promise<any> {
  const { upload, state } = await json(client.get(`/api/shares/${id}`));
  return { count: upload.upload_count, bytes: upload.uploaded_bytes, state };
}

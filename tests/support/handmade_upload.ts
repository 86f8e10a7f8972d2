import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestBucket } from "./bucket.ts";
import { until } from "./poll.ts";

/** An upload as it is sent by hand. */
export interface HandmadeUpload {
  /** `POST` unless given. */
  readonly method?: "POST" | "PUT";
  readonly path: string;
  readonly type: string;
  readonly length: number;
  /** The first bytes of the body; they go out together with the head. */
  readonly start?: string;
  /** The address that it claims to come from, which the program's log names; the connection's own unless given. */
  readonly from?: string;
}

let cutOffs = 0;

/** Begins an upload. */
export function beginUpload({ program, client }: TestBucket, upload: HandmadeUpload): Socket {
  const { method = "POST", path, type, length, start = "", from } = upload;
  const { hostname, port } = new URL(program.url);
  const socket = connect(Number(port), hostname);
  const cookies = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `cookie: ${cookies}`,
    `x-csrf-token: ${client.cookies.get("service_csrf")}`,
    `content-type: ${type}`,
    `content-length: ${length}`,
    ...(from === undefined ? [] : [`x-forwarded-for: ${from}`]),
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${start}`);
  return socket;
}

/**
 * Begins an upload, sends `sent` bytes of its content, goes away, and waits until the program is done with it: `route` is a
 * piece of the route that its log names.
 */
export async function cutOff(
  bucket: TestBucket,
  upload: HandmadeUpload,
  { sent, route }: { readonly sent: number; readonly route: string },
): Promise<void> {
  cutOffs++;
  // None that a client of the tests has: requests before this one may be logged after it has begun.
  const from = `198.19.${Math.floor(cutOffs / 250)}.${cutOffs % 250 + 1}`;
  const socket = beginUpload(bucket, { ...upload, from });
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.write(new Uint8Array(sent), () => resolve());
  });
  socket.destroy();
  await once(socket, "close");
  const line = await until(
    () => bucket.program.logs().find(({ ip, route: of }) => ip === from && String(of).includes(route)),
    { timeoutMs: 60_000, what: "the end of the request in the log" },
  );
  assert.equal(line.status, 400);
}

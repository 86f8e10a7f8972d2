import assert from "node:assert/strict";
import { type ClientLimits, Http1Client } from "../../../src/http1/client.ts";
import type { ClientRequest } from "../../../src/http1/client_call.ts";
import { Http1Error } from "../../../src/http1/http1_error.ts";
import { Watchdog } from "../../../src/http1/watchdog.ts";
import { type Script, type ScriptedServer, withScript } from "./scripted_server.ts";

/** A client under test and the server that it talks to. */
export interface TestClient extends ScriptedServer {
  readonly client: Http1Client;
  /** Sends a request, `GET /` unless told, and reads its whole answer. */
  send(request?: Partial<ClientRequest>): Promise<{ status: number; text: string }>;
}

/** A request with nothing special about it. */
export const plainRequest: ClientRequest = {
  method: "GET",
  target: "/",
  headerLines: "host: h\r\n",
  repeatable: true,
  timeoutMs: 30_000,
};

/** Registers a test of the client against a server that follows `script`. */
export function clientTest(
  name: string,
  script: Script,
  body: (context: TestClient) => Promise<void>,
  limits: Partial<ClientLimits> = {},
): void {
  Deno.test(name, () => withClient(script, body, limits));
}

/** Runs `body` with a client and a server that follows `script`. */
export function withClient(
  script: Script,
  body: (context: TestClient) => Promise<void>,
  limits: Partial<ClientLimits> = {},
  tls?: { cert: string; key: string },
): Promise<void> {
  return withScript(script, async (server) => {
    const client = new Http1Client(server.origin, new Watchdog(Date.now), limits);
    try {
      await body({
        ...server,
        client,
        async send(request) {
          const answer = await client.call({ ...plainRequest, ...request }).answer();
          const bytes = await answer.bytes(1 << 24);
          return { status: answer.head.status, text: new TextDecoder().decode(bytes) };
        },
      });
    } finally {
      client.close();
    }
  }, tls);
}

/** Asserts that a call fails in a certain way. */
export async function failsWith(
  call: Promise<unknown>,
  failure: Http1Error["failure"],
  about?: string,
): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof Http1Error, `${about}: ${error}`);
    assert.equal(error.failure, failure, about);
    return true;
  });
}

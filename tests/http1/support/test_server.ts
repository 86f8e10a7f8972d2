import type { ServerExchange } from "../../../src/http1/exchange.ts";
import type { ServerLimits } from "../../../src/http1/server_limits.ts";
import { Http1Server } from "../../../src/http1/server.ts";
import { Watchdog } from "../../../src/http1/watchdog.ts";

/** A server under test. */
export interface TestServer {
  readonly url: string;
  /** {@link Http1Server.drain}; done at the end of the test unless it was done before. */
  drain(timeoutMs: number): Promise<number>;
  /** What no request was expected to do. */
  readonly errors: unknown[];
  /** Method and target of every request that was handed on. */
  readonly requests: string[];
}

/** Runs `body` with a server that answers with `handle`: method, target and body of the request unless told. */
export async function withServer(
  body: (server: TestServer) => Promise<void>,
  options: {
    readonly limits?: Partial<ServerLimits>;
    readonly handle?: (exchange: ServerExchange) => Promise<void>;
  } = {},
): Promise<void> {
  const { limits, handle = echo } = options;
  const errors: unknown[] = [];
  const requests: string[] = [];
  const server = new Http1Server({ hostname: "127.0.0.1", port: 0 }, {
    watchdog: new Watchdog(Date.now),
    limits,
    handle: async (exchange) => {
      requests.push(`${exchange.request.method} ${exchange.request.target}`);
      await handle(exchange).catch(() => exchange.destroy());
    },
    refuse: ({ failure, message }) => ({
      status: 400,
      headerLines: `x-failure: ${failure}\r\n`,
      body: new TextEncoder().encode(message),
    }),
    onError: (error) => errors.push(error),
  });
  const serving = server.serve();
  let drained: Promise<number> | undefined;
  const drain = (timeoutMs: number) => drained ??= server.drain(timeoutMs);
  try {
    await body({ url: `http://127.0.0.1:${server.address.port}`, drain, errors, requests });
  } finally {
    await drain(0);
    await serving;
  }
}

async function echo(exchange: ServerExchange): Promise<void> {
  const { method, target } = exchange.request;
  const pieces: Uint8Array[] = [];
  for await (const piece of exchange.body) pieces.push(piece.slice());
  const text = await new Blob(pieces as BlobPart[]).text();
  await exchange.answer(200, "", new TextEncoder().encode(`${method} ${target} ${text}`));
}

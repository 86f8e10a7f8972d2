import { type ListenAddress, listenerUrl } from "../config/listen_address.ts";
import type { ServerExchange } from "../http1/exchange.ts";
import type { Http1Error } from "../http1/http1_error.ts";
import { Http1Server } from "../http1/server.ts";
import { Watchdog } from "../http1/watchdog.ts";
import type { Logger } from "../logging/logger.ts";
import { errorDocument } from "./answer.ts";

/** What a {@link S3Server} works with. */
export interface S3ServerOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly logger: Logger;
  readonly newRequestId: () => string;
}

/** The listener of the S3 endpoint. It is bound from the start; what comes before {@link serve} waits. */
export class S3Server {
  readonly #server: Http1Server;
  #handle: (exchange: ServerExchange) => Promise<void> = (exchange) => Promise.resolve(exchange.destroy());

  /** Binds `listen`; throws `Deno.errors.AddrInUse` and its kin. */
  constructor(listen: ListenAddress, options: S3ServerOptions) {
    try {
      this.#server = this.#bind(listen.hostname, listen.port, options);
    } catch (error) {
      // Every interface of a machine without IPv6.
      if (listen.hostname !== "::" || error instanceof Deno.errors.AddrInUse) throw error;
      this.#server = this.#bind("0.0.0.0", listen.port, options);
    }
  }

  /** Base URL by which this machine reaches the endpoint. */
  get url(): string {
    return listenerUrl(this.#server.address);
  }

  /** Where it listens. */
  get address(): Deno.NetAddr {
    return this.#server.address;
  }

  /** Starts answering with `handle`. */
  serve(handle: (exchange: ServerExchange) => Promise<void>): void {
    this.#handle = handle;
    this.#server.serve();
  }

  /** Stops listening and waits at most `timeoutMs` for requests in flight. Returns how many had to be cut off. */
  drain(timeoutMs: number): Promise<number> {
    return this.#server.drain(timeoutMs);
  }

  #bind(hostname: string, port: number, { clock, logger, newRequestId }: S3ServerOptions): Http1Server {
    return new Http1Server({ hostname, port }, {
      watchdog: new Watchdog(clock),
      handle: (exchange) => this.#handle(exchange),
      refuse: (error) => refusal(error, newRequestId()),
      onError: (error) => logger.error("the S3 endpoint failed", { error: String(error) }),
    });
  }
}

/** S3's error document for what is no valid HTTP, and so has no target yet. */
function refusal(error: Http1Error, requestId: string) {
  const code = error.failure === "too_large" ? "RequestHeaderSectionTooLarge" : "InvalidRequest";
  const document = errorDocument({ code, message: error.message }, {
    method: "",
    path: "",
    bucket: "",
    requestId,
  });
  return {
    status: 400,
    headerLines: `content-type: application/xml\r\nx-amz-request-id: ${requestId}\r\n`,
    body: new TextEncoder().encode(document),
  };
}

import { Connection, type Exchange } from "./connection.ts";
import { RequestFactory, type Side } from "./signed_exchange.ts";

/** Drives an S3 server with signed requests, each worker over a connection of its own. */
export class DirectLoad {
  readonly #side: Side;
  readonly #concurrency: number;
  readonly #factory: RequestFactory;

  constructor(side: Side, concurrency: number) {
    this.#side = side;
    this.#concurrency = concurrency;
    this.#factory = new RequestFactory(side);
  }

  /**
   * Sends as many requests as there are `items`, made one after the other by `make`, and returns the seconds that took.
   * Throws at the first answer that is not a success.
   */
  async sendAll<Item>(
    items: Iterable<Item>,
    make: (item: Item, factory: RequestFactory) => Exchange,
  ): Promise<number> {
    const iterator = Iterator.from(items);
    const work = async () => {
      using connection = await Connection.open(this.#side.hostname, this.#side.port);
      for (let next = iterator.next(); !next.done; next = iterator.next()) {
        const exchange = make(next.value, this.#factory);
        const body: Uint8Array<ArrayBuffer>[] = [];
        const { status, head } = await connection.send(exchange, body);
        if (status !== exchange.status) throw new Error(`${head}\n${await new Blob(body).text()}`);
        const text = exchange.isHead || body.length === 0 ? "" : await new Blob(body).text();
        // Some answers to batches and copies begin with a success and tell of failures in their body.
        if (text.includes("<Error>")) throw new Error(text);
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: this.#concurrency }, work));
    return (performance.now() - start) / 1000;
  }
}

/** The upstream itself as a side. */
export function directSide(
  upstream: { endpoint: string; region: string; accessKey: string; secretKey: string },
): Side {
  const { hostname, port } = new URL(upstream.endpoint);
  const { accessKey: accessKeyId, secretKey, region } = upstream;
  return { name: "direct", hostname, port: Number(port), identity: { accessKeyId, secretKey, region } };
}

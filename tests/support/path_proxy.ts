import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A reverse proxy that has other things to do than the program, which it serves below one path of its host. */
export interface PathProxy extends AsyncDisposable {
  /** The program's address behind it, without a trailing slash. */
  readonly url: string;
  /** What was asked for outside of that path, as `METHOD path`, and answered with 404. */
  readonly refused: readonly string[];
  /** Says where the program is: that can be known only after the proxy's own address is. */
  pass(target: string): void;
}

/**
 * Starts one on a free loopback port. `path` is such as `/storage`; whether it `strips` that from what it passes on, or
 * passes everything on as it came, is the operator's choice.
 */
export async function startPathProxy(path: string, { strips }: { strips: boolean }): Promise<PathProxy> {
  const refused: string[] = [];
  let target = "";
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    if (!url.startsWith(`${path}/`) && url.split("?", 1)[0] !== path) {
      refused.push(`${method} ${url}`);
      response.writeHead(404).end("another program's");
      return;
    }
    const passed = strips ? url.slice(path.length).replace(/^(?!\/)/, "/") : url;
    const { hostname, port } = new URL(target);
    const onward = send({ hostname, port, method, path: passed, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    refused,
    pass: (url) => target = url,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

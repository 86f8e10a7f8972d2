import { once } from "node:events";

/** An answer of the inspector. */
interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A connection to the inspector of a running program: https://chromedevtools.github.io/devtools-protocol/ */
export class Inspector implements Disposable {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#settle(JSON.parse(data));
    socket.onclose = () => {
      for (const { reject } of this.#pending.values()) {
        reject(new Error("the inspector's connection was closed"));
      }
    };
  }

  /** Connects to the program whose inspector listens on a loopback port. */
  static async attach(port: number): Promise<Inspector> {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [{ webSocketDebuggerUrl }] = await response.json();
    const socket = new WebSocket(webSocketDebuggerUrl);
    await once(socket, "open");
    return new Inspector(socket);
  }

  /** Calls a method of the protocol and returns its result. Throws what the inspector answers instead. */
  call<T>(method: string, params: Record<string, unknown> = {}): Promise<T> {
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return pending.promise as Promise<T>;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  #settle({ id = 0, result, error }: Reply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(error.message));
  }
}

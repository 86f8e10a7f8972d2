import { commandMs } from "./engine.ts";

/** What the protocol says in answers and events: JSON, of which only a part is looked at. */
// deno-lint-ignore no-explicit-any -- each command has an answer of its own, described in the specification alone
export type Message = any;

/** A connection that speaks WebDriver BiDi: https://w3c.github.io/webdriver-bidi/#protocol-definition. */
export interface Bidi {
  /** Sends a command and waits for its answer. */
  send(method: string, params: Record<string, unknown>): Promise<Message>;
  close(): void;
}

/** Connects to a browser; `onEvent` is told of every event that was subscribed to. */
export async function connectBidi(
  address: string,
  onEvent: (method: string, params: Message) => void,
): Promise<Bidi> {
  const socket = new WebSocket(address);
  const pending = new Map<number, PromiseWithResolvers<Message>>();
  let lastId = 0;
  socket.onmessage = ({ data }) => {
    const message: Message = JSON.parse(data);
    if (message.type === "event") return onEvent(message.method, message.params);
    const command = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === "success") command?.resolve(message.result);
    else command?.reject(new Error(`${message.error}: ${message.message}`));
  };
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onclose = () => {
    const error = new Error("the browser has closed the connection");
    opened.reject(error);
    for (const command of pending.values()) command.reject(error);
    pending.clear();
  };
  const timer = setTimeout(() => socket.close(), commandMs);
  await opened.promise.finally(() => clearTimeout(timer));
  return {
    async send(method, params) {
      const id = ++lastId;
      const command = Promise.withResolvers<Message>();
      pending.set(id, command);
      const tooLate = () => command.reject(new Error(`no answer to ${method} in ${commandMs} ms`));
      const timer = setTimeout(tooLate, commandMs);
      try {
        socket.send(JSON.stringify({ id, method, params }));
        return await command.promise;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => socket.close(),
  };
}

import { until } from "../poll.ts";

/** A browser that is driven by its own remote protocol, with one page open. */
export interface Engine {
  /**
   * Opens a page of the program by its path, and waits until it has been loaded. What goes wrong in the one before while it is
   * left, such as what it still loads, is no error.
   */
  open(path: string): Promise<void>;
  /** What an expression is in the page, by way of JSON; what a promise comes to. */
  evaluate<T>(expression: string): Promise<T>;
  /** Has keys and the pointer do something, as a person would. */
  perform(source: InputSource): Promise<void>;
  /** Has the one `<input type="file">` that a selector matches take a file of the disk. */
  chooseFile(selector: string, path: string): Promise<void>;
  /** Script errors, errors in the console and violations of the content security policy, since it was last asked. */
  errors(): Promise<string[]>;
  /** Ends the browser and all that was started for it. */
  close(): Promise<void>;
}

/** What a keyboard or a mouse does, one after the other: https://www.w3.org/TR/webdriver2/#actions. */
export type InputSource =
  | { readonly type: "key"; readonly id: string; readonly actions: readonly KeyAction[] }
  | { readonly type: "pointer"; readonly id: string; readonly actions: readonly PointerAction[] };

/** A key goes down or up; a character, or a code point of the specification's table for other keys. */
export interface KeyAction {
  readonly type: "keyDown" | "keyUp";
  readonly value: string;
}

/** The mouse moves to a place in the viewport, or its left button goes down or up. */
export type PointerAction =
  | { readonly type: "pointerMove"; readonly x: number; readonly y: number }
  | { readonly type: "pointerDown" | "pointerUp"; readonly button: 0 };

/** Milliseconds that a browser may take for one command; only a failure takes so long. */
export const commandMs = 60_000;

/** Removes the folder of a browser that has ended, whose last processes may still write into it. */
export async function removeWhenLeft(directory: string): Promise<void> {
  const remove = () => Deno.remove(directory, { recursive: true }).then(() => true);
  await until(remove, { what: `${directory} to be left` });
}

/** An expression whose value comes to the JSON of another's. */
export function asJson(expression: string): string {
  return `(async () => JSON.stringify(await (${expression})) ?? "null")()`;
}

/**
 * Takes out of a console's log what has come before now: a mark that the page writes is the last of it.
 *
 * @param log the messages that have not been taken, which grows at its end
 */
export async function takeErrors(
  evaluate: (expression: string) => Promise<unknown>,
  log: string[],
): Promise<string[]> {
  const mark = `mark-${crypto.randomUUID()}`;
  await evaluate(`console.error("${mark}")`);
  const count = await until(() => log.findIndex((line) => line.includes(mark)) + 1, {
    what: "the console to show a mark",
  });
  return log.splice(0, count).slice(0, -1);
}

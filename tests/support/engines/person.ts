import { until } from "../poll.ts";
import type { Engine, KeyAction } from "./engine.ts";

/** Keys that write nothing: https://www.w3.org/TR/webdriver2/#keyboard-actions. */
const codePoints: Readonly<Record<string, string>> = {
  Tab: "\uE004",
  Enter: "\uE007",
  Control: "\uE009",
  Escape: "\uE00C",
  ArrowDown: "\uE015",
};

/** A place in the viewport, in CSS pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Presses keys together, such as `Control` and `k`, and lets go of them. */
export async function press(engine: Engine, ...keys: readonly string[]): Promise<void> {
  const values = keys.map((key) => codePoints[key] ?? key);
  const actions: KeyAction[] = [
    ...values.map((value) => ({ type: "keyDown", value }) as const),
    ...values.toReversed().map((value) => ({ type: "keyUp", value }) as const),
  ];
  await engine.perform({ type: "key", id: "keyboard", actions });
}

/** Types a text into what has the focus. */
export async function type(engine: Engine, text: string): Promise<void> {
  const actions = [...text].flatMap((value): KeyAction[] => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  await engine.perform({ type: "key", id: "keyboard", actions });
}

/** Waits until an element can be seen, and clicks into its middle; it has a text or a label where one is given. */
export async function click(engine: Engine, selector: string, text?: string): Promise<void> {
  const place = await until(() => engine.evaluate<Point | null>(placeOf(selector, text)), {
    what: `${selector} ${text ?? ""} to click on`,
  });
  const button = 0;
  await engine.perform({
    type: "pointer",
    id: "mouse",
    actions: [
      { type: "pointerMove", ...place },
      { type: "pointerDown", button },
      { type: "pointerUp", button },
    ],
  });
}

/** Waits until an element can be seen; it has a text or a label where one is given. */
export async function see(engine: Engine, selector: string, text?: string): Promise<void> {
  await hold(engine, `${found(selector, text)} !== undefined`, `${selector} ${text ?? ""} to be seen`);
}

/** Waits until no such element can be seen. */
export async function seeNo(engine: Engine, selector: string, text?: string): Promise<void> {
  await hold(engine, `${found(selector, text)} === undefined`, `${selector} ${text ?? ""} to be gone`);
}

/** Waits until an element has the focus; a window without a screen has none, so that `:focus` may match nothing. */
export async function seeFocus(engine: Engine, selector: string): Promise<void> {
  const isFocused = `document.activeElement.matches(${JSON.stringify(selector)})`;
  await hold(engine, isFocused, `${selector} to have the focus`);
}

/** Waits until an expression is true in the page. */
export async function hold(engine: Engine, expression: string, what: string): Promise<void> {
  await until(() => engine.evaluate(expression), { what });
}

/** The first element that can be seen, has some extent, and has the text in it or in its label. */
function found(selector: string, text = ""): string {
  const [css, part] = [selector, text].map((value) => JSON.stringify(value));
  return `[...document.querySelectorAll(${css})].find((element) => element.checkVisibility() &&
    element.getClientRects().length > 0 && (element.ariaLabel + element.textContent).includes(${part}))`;
}

/** The middle of an element once it stays where it is and nothing is in front of it. */
function placeOf(selector: string, text?: string): string {
  return `(async () => {
    const element = ${found(selector, text)};
    if (element === undefined) return null;
    element.scrollIntoView({ block: "nearest", behavior: "instant" });
    const middle = () => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: Math.floor(x + width / 2), y: Math.floor(y + height / 2) };
    };
    const before = middle();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { x, y } = middle();
    const isStill = before.x === x && before.y === y;
    return isStill && element.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
  })()`;
}

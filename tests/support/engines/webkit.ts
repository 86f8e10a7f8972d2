import { type Child, startChild } from "../child.ts";
import { requireExecutable } from "../executables.ts";
import { until } from "../poll.ts";
import { freePorts } from "../ports.ts";
import { asJson, commandMs, type Engine, removeWhenLeft, takeErrors } from "./engine.ts";
import { startReportingProxy } from "./reporting_proxy.ts";

/** What an answer of the driver says: JSON, of which only a part is looked at. */
// deno-lint-ignore no-explicit-any -- each command has an answer of its own, described in the specification alone
type Answer = any;

/** Sends a command of the protocol: https://www.w3.org/TR/webdriver2/#endpoints. */
type Send = (method: "GET" | "POST" | "DELETE", path: string, body?: unknown) => Promise<Answer>;

/** The name of the field in which the protocol puts a reference to an element. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";

/**
 * Starts WebKitGTK's own little browser on a screen that is only in memory, for the pages of a program. It writes no console
 * while it is automated, so its pages come through a proxy that has them report their errors.
 */
export async function startWebKit(program: string): Promise<Engine> {
  const directory = await Deno.makeTempDir({ prefix: "webkit-" });
  const proxy = startReportingProxy(program);
  const children: Child[] = [];
  const close = async () => {
    await Promise.all(children.map((child) => child.stop()));
    await proxy.stop();
    await removeWhenLeft(directory);
  };
  try {
    const screen = startChild([requireExecutable("Xvfb"), ...screenFlags]);
    children.push(screen);
    const display = await until(() => screen.stdout.at(0) ?? (screen.hasExited() && "none"), {
      what: "the number of the screen",
    });
    if (display === "none") throw new Error("Xvfb ended at once");
    const [port] = freePorts(1);
    const driver = startChild([requireExecutable("WebKitWebDriver"), `--port=${port}`], {
      env: environment(directory, display),
    });
    children.push(driver);
    const command = commands(`http://127.0.0.1:${port}`);
    await until(() => command("GET", "/status"), { what: "WebKitWebDriver to listen" });
    const { sessionId } = await command("POST", "/session", { capabilities: {} });
    const send: Send = (method, path, body) => command(method, `/session/${sessionId}${path}`, body);
    await send("POST", "/window/rect", { x: 0, y: 0, width: 1280, height: 880 });
    const evaluate = async <T>(expression: string): Promise<T> =>
      JSON.parse(await send("POST", "/execute/sync", { script: `return ${asJson(expression)}`, args: [] }));
    return {
      evaluate,
      async open(path) {
        await send("POST", "/url", { url: "about:blank" });
        proxy.log.length = 0;
        await send("POST", "/url", { url: proxy.origin + path });
      },
      async perform(source) {
        await send("POST", "/actions", { actions: [source] });
      },
      async chooseFile(value, path) {
        const element = await send("POST", "/element", { using: "css selector", value });
        await send("POST", `/element/${element[elementKey]}/value`, { text: path });
      },
      errors: () => takeErrors(evaluate, proxy.log),
      async close() {
        // It ends the browser, which the driver's own end would leave behind.
        await send("DELETE", "").finally(close);
      },
    };
  } catch (cause) {
    const output = children.flatMap(({ stderr }) => stderr).slice(-20).join("\n");
    await close();
    throw new Error(`WebKit did not start:\n${output}`, { cause });
  }
}

/** Any display that is free, its number on standard output. */
const screenFlags = ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];

/** Nothing of the desktop that the tests may run on, and nothing that outlives `directory`. */
function environment(directory: string, display: string): Record<string, string> {
  return {
    DISPLAY: `:${display}`,
    GDK_BACKEND: "x11",
    HOME: directory,
    XDG_RUNTIME_DIR: directory,
    LC_ALL: "en_US.UTF-8",
    DBUS_SESSION_BUS_ADDRESS: "disabled:",
    NO_AT_BRIDGE: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  };
}

function commands(origin: string): Send {
  return async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(commandMs),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
}

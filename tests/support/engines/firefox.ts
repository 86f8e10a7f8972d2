import { join } from "node:path";
import { startChild } from "../child.ts";
import { requireExecutable } from "../executables.ts";
import { until } from "../poll.ts";
import { connectBidi } from "./bidi.ts";
import { asJson, type Engine, removeWhenLeft, takeErrors } from "./engine.ts";

/** Settings of the profile; the browser itself adds those that it recommends for automation. */
const preferences = {
  // Nothing but loopback, which goes past any proxy, is reached: nothing listens on that port.
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 1,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 1,
  "intl.accept_languages": "en-US,en",
  // A fine pointer that hovers, which a browser without a screen does not know of.
  "ui.primaryPointerCapabilities": 6,
  "ui.allPointerCapabilities": 6,
  "ui.prefersReducedMotion": 1,
  "ui.systemUsesDarkTheme": 0,
};

/** Starts Firefox without a screen and with a profile of its own, for the pages of a program. */
export async function startFirefox(program: string): Promise<Engine> {
  const executable = requireExecutable("firefox-esr");
  const directory = await Deno.makeTempDir({ prefix: "firefox-" });
  const lines = Object.entries(preferences).map(([name, value]) =>
    `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`
  );
  await Deno.writeTextFile(join(directory, "user.js"), lines.join(""));
  const flags = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", directory];
  const child = startChild([executable, ...flags], {
    // It refuses a home that is another user's.
    env: { HOME: directory, MOZ_CRASHREPORTER_DISABLE: "1" },
  });
  const close = async () => {
    await child.stop(20_000);
    await removeWhenLeft(directory);
  };
  try {
    const address = await until(() => {
      const addresses = child.stderr.map((line) => /listening on (ws:\S+)/.exec(line)?.[1]);
      return addresses.find(Boolean) ?? (child.hasExited() && "none");
    }, { timeoutMs: 60_000, what: "Firefox to listen" });
    if (address === "none") throw new Error("it ended at once");
    const log: string[] = [];
    const bidi = await connectBidi(`${address}/session`, (method, event) => {
      if (method === "log.entryAdded" && event.level === "error") log.push(event.text);
    });
    await bidi.send("session.new", { capabilities: {} });
    await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
    const { contexts: [{ context }] } = await bidi.send("browsingContext.getTree", {});
    await bidi.send("browsingContext.setViewport", { context, viewport: { width: 1280, height: 800 } });
    const evaluate = async <T>(expression: string): Promise<T> => {
      const target = { context };
      const script = { expression: asJson(expression), awaitPromise: true, target, userActivation: true };
      const { result, exceptionDetails } = await bidi.send("script.evaluate", script);
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    };
    const navigate = (url: string) =>
      bidi.send("browsingContext.navigate", { context, url, wait: "complete" });
    const errors = () => takeErrors(evaluate, log);
    return {
      evaluate,
      async open(path) {
        await navigate("about:blank");
        await errors();
        await navigate(program + path);
      },
      async perform(source) {
        await bidi.send("input.performActions", { context, actions: [source] });
      },
      async chooseFile(value, path) {
        const locator = { type: "css", value };
        const { nodes: [element] } = await bidi.send("browsingContext.locateNodes", { context, locator });
        await bidi.send("input.setFiles", { context, element, files: [path] });
      },
      errors,
      async close() {
        bidi.close();
        await close();
      },
    };
  } catch (cause) {
    await close();
    throw new Error(`Firefox did not start:\n${child.stderr.slice(-20).join("\n")}`, { cause });
  }
}

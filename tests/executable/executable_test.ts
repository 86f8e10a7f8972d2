import assert from "node:assert/strict";
import { join } from "node:path";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import project from "../../deno.json" with { type: "json" };
import { runChild, startChild } from "../support/child.ts";
import { skipWithout } from "../support/executables.ts";
import { Client, json, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { pprofReport, profilesUrl, profilingEnv } from "../support/pprof.ts";
import { startProgram, testPassword, withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { withUpstream } from "../support/upstreams.ts";

/*
 * The compiled executable, in an empty folder, without the sources at hand. `STORAGE_DASHBOARD_EXECUTABLE` names it:
 * making it takes a runtime part that not every machine can fetch. In CI it has to be there.
 */
const executable = Deno.env.get("STORAGE_DASHBOARD_EXECUTABLE") ?? "";
const ignore = executable === "" && Deno.env.get("CI") !== "true";
if (ignore) console.error("skipping tests of the executable: STORAGE_DASHBOARD_EXECUTABLE is not set");

/** Runs `body` in an empty folder. */
async function inEmptyFolder(body: (directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "executable-" });
  try {
    await body(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test({
  name: "executable: tells its version and checks a configuration",
  ignore,
  fn: () =>
    inEmptyFolder(async (cwd) => {
      const version = await runChild([executable, "version"], { cwd });
      assert.equal(version.code, 0);
      assert.ok(version.stdout.includes(project.version));
      await Deno.writeTextFile(join(cwd, "bad.yaml"), "server: {listen: 7}\nunknown: 1\n");
      const check = await runChild([executable, "check-config", "--config", "bad.yaml"], { cwd });
      assert.equal(check.code, 1);
      assert.match(check.stderr, /bad\.yaml:1:/);
      assert.equal((await runChild([executable, "serve", "--nonsense"], { cwd })).code, 2);
    }),
});

Deno.test({
  name: "executable: signs in, serves every static file, stores and returns an object, stops on SIGTERM",
  ignore,
  fn: () =>
    withUpstream("embedded", async (upstream) => {
      const program = await startProgram({
        backends: [{ id: "main", upstream }],
        users: {},
        command: [executable],
      });
      try {
        const made = await runChild(
          [executable, "create-admin", "--username", "ada", "--password-stdin", "--config", "config.yaml"],
          {
            cwd: program.directory,
            stdin: testPassword,
            env: { BACKEND_0_ACCESS_KEY: "x", BACKEND_0_SECRET_KEY: "x" },
          },
        );
        assert.equal(made.code, 0, made.stderr);
        const client = await program.client().signIn("ada", testPassword);
        const buckets = "/api/backends/main/buckets";
        assert.equal(await status(client.post(buckets, { json: { name: "first" } })), 201);
        await checkStaticFiles(client);
        const object = `${buckets}/first/object?key=hello.txt`;
        const stored = client.post(object, { body: "hello", headers: { "content-type": "text/plain" } });
        assert.equal((await json(stored, 201)).key, "hello.txt");
        assert.equal(await (await client.get(object)).text(), "hello");
        const { events } = await json(client.get("/api/admin/audit?action=object.upload"));
        assert.equal(events.length, 1);
        program.child.signal("SIGTERM");
        assert.equal((await program.child.exited).code, 0);
      } finally {
        await program.stop();
      }
    }),
});

Deno.test({
  name: "executable: the quickstart works from an empty folder",
  ignore,
  fn: () =>
    inEmptyFolder(async (cwd) => {
      const listeners = ["--listen", "127.0.0.1:0", "--proxy-listen", "127.0.0.1:0"];
      const child = startChild([executable, "quickstart", ...listeners], { cwd });
      try {
        const output = await until(() => {
          const text = child.stdout.join("\n");
          return text.includes("Ctrl-C stops it.") && text;
        }, { timeoutMs: 60_000, what: "the quickstart to be ready" });
        const url = /http:\/\/127\.0\.0\.1:\d+(?=\n\s+User)/.exec(output)?.[0] ?? "";
        const client = await new Client(url).signIn("admin", /Password\s+(\S+)/.exec(output)?.[1] ?? "");
        const { backends } = await json(client.get("/api/backends"));
        assert.equal(backends.length, 1);
        const value = (name: string) => new RegExp(`^  ${name} +(\\S+)`, "m").exec(output)?.[1] ?? "";
        using s3 = s3Client({
          endpoint: value("Endpoint"),
          region: "us-east-1",
          accessKey: value("Access key"),
          secretKey: value("Secret key"),
        });
        const large = new Uint8Array(3 << 20).fill(7);
        const target = { Bucket: "sample-data", Key: "from a program" };
        await s3.send(new PutObjectCommand({ ...target, Body: large }));
        const { Body } = await s3.send(new GetObjectCommand(target));
        assert.deepEqual(await Body?.transformToByteArray(), large);
      } finally {
        await child.stop();
      }
    }),
});

Deno.test({
  name: "executable: makes profiles that Go's pprof reads",
  ignore: ignore || skipWithout("go"),
  fn: () =>
    withProgram({ command: [executable], env: profilingEnv }, async (program) => {
      const url = await profilesUrl(program);
      const heap = await pprofReport("-raw", `${url}heap`);
      assert.match(heap, /^inuse_space\/bytes$/m);
      assert.match(heap, / (?:src|static|node_modules)\/\S+:0 /);
      assert.doesNotMatch(heap, /deno-compile/);
      const cpu = await pprofReport("-raw", `${url}profile?seconds=1`);
      assert.match(cpu, /^samples\/count cpu\/nanoseconds$/m);
    }),
});

/** A page of each island; the last does not exist. */
const pages = [
  "/",
  "/b/main",
  "/b/main/first",
  "/b/main/first?list=table",
  "/b/main/first/settings/general",
  "/b/main/first/insights",
  "/search",
  "/transfers",
  "/me",
  "/credentials",
  "/shares",
  "/admin/health",
  "/admin/usage",
  "/admin/backends",
  "/admin/users",
  "/admin/audit",
  "/none",
];

/** Loads every page, then its styles and scripts and everything those ask for, as a browser would. */
async function checkStaticFiles(client: Client): Promise<void> {
  const seen = new Set<string>();
  for (const page of pages) {
    const html = await (await client.get(page, { headers: { accept: "text/html" } })).text();
    const waiting = [...html.matchAll(/(?:href|src)="(\/static\/[^"#]+)/g)].map(([, path]) => path);
    const core = waiting.find((path) => path.endsWith("/core.js"));
    assert.ok(core, `${page}: ${html}`);
    const first = await (await client.get(core)).text();
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const answer = await client.get(path);
      const text = await answer.text();
      assert.equal(answer.status, 200, path);
      if (!path.endsWith(".js")) continue;
      for (const [, module] of text.matchAll(/\$load\("([^"]+)"\)/g)) {
        if (!first.includes(`$define("${module}"`)) {
          waiting.push(new URL(module, `http://localhost${core}`).pathname);
        }
      }
    }
  }
  const islands = [...Deno.readDirSync("static/islands")].map(({ name }) => `/en/islands/${name}`);
  for (
    const wanted of [...islands.filter((path) => !path.endsWith("/login.js")), "/lib/palette/palette.js"]
  ) {
    assert.ok([...seen].some((path) => path.endsWith(wanted)), `${wanted}: ${[...seen].join(" ")}`);
  }
}

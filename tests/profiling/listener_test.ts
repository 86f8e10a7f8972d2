import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { skipWithout } from "../support/executables.ts";
import { status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { freePorts } from "../support/ports.ts";
import { pprofReport, profilesUrl, profilingEnv, runPprof } from "../support/pprof.ts";
import { type Program, startProgram, withProgram } from "../support/program.ts";
import { RawConnection } from "../support/raw_connection.ts";

const sourceRoot = fileURLToPath(new URL("../../", import.meta.url));

/** Keeps the program busy with requests while `body` goes on. */
async function underLoad<T>(program: Program, body: () => Promise<T>): Promise<T> {
  const client = await program.signedIn();
  const ended = new AbortController();
  const sendRequests = async () => {
    while (!ended.signal.aborted) await status(client.get("/api/admin/users"));
  };
  const load = Promise.all([sendRequests(), sendRequests()]);
  try {
    return await body();
  } finally {
    ended.abort();
    await load;
  }
}

/** Whether another profile of a kind is being recorded. */
async function isBusy(profileUrl: string): Promise<boolean> {
  return await status(fetch(`${profileUrl}?seconds=1`)) === 409;
}

/** Has a profile of five minutes recorded; that has begun when this resolves. */
async function record(profileUrl: string, signal?: AbortSignal): Promise<{ answer: Promise<Response> }> {
  const begin = () => {
    const recording = { answer: fetch(`${profileUrl}?seconds=300`, { signal }), isRefused: false };
    recording.answer.then((answer) => recording.isRefused = answer.status === 409, () => {});
    return recording;
  };
  let recording = begin();
  return await until(async () => {
    // Of two requests on two connections either may be taken first; the other one is refused.
    if (recording.isRefused) {
      await status(recording.answer);
      recording = begin();
    }
    return await isBusy(profileUrl) && recording;
  }, { what: "the profile to be recorded" });
}

Deno.test({
  name: "Go's pprof fetches profiles of a program at work, and finds our functions in them",
  ignore: skipWithout("go"),
  fn: () =>
    withProgram({ env: profilingEnv, config: { ratelimit: { api_per_minute: 0 } } }, async (program) => {
      const url = await profilesUrl(program);
      const heap = await pprofReport("-raw", `${url}heap`);
      assert.match(heap, /^inuse_space\/bytes$/m);
      assert.match(heap, /^ +\d+: \d/m);
      const [cpu, allocations] = await underLoad(program, () =>
        Promise.all([
          pprofReport("-top", "-cum", "-nodecount=1000", `${url}profile?seconds=3`),
          pprofReport("-raw", `${url}allocs?seconds=3`),
        ]));
      assert.match(cpu, /^Type: cpu$/m);
      assert.match(cpu, /^Duration: [3-9]/m);
      assert.match(cpu, / handle src\/http\/pipeline\.ts$/m);
      assert.doesNotMatch(cpu, /\(idle\)|\(root\)/);
      assert.match(allocations, /^alloc_space\/bytes$/m);
      assert.match(allocations, /src\/\S+\.ts/);
      for (const report of [cpu, allocations, heap]) assert.ok(!report.includes(sourceRoot), report);
      const { code, stderr } = await runPprof("-top", `${url}profile?seconds=301`);
      assert.notEqual(code, 0);
      assert.match(stderr, /400 Bad Request - seconds must be a whole number from 1 to 300\./);
    }),
});

Deno.test("one profile of a kind is recorded at a time, and a client that goes away ends its own", () =>
  withProgram({ env: profilingEnv }, async (program) => {
    const url = await profilesUrl(program);
    for (const kind of ["profile", "allocs"]) {
      const leaving = new AbortController();
      const first = await record(`${url}${kind}`, leaving.signal);
      assert.equal(await status(fetch(`${url}heap`)), kind === "allocs" ? 409 : 200);
      leaving.abort();
      await assert.rejects(first.answer);
      await until(async () => !await isBusy(`${url}${kind}`), { what: `the first ${kind} to end` });
    }
    assert.equal(await status(fetch(`${url}heap`)), 200);
  }));

Deno.test("the listener answers what it has to GET and HEAD, under loopback names, and nothing else", () =>
  withProgram({ env: profilingEnv }, async (program) => {
    const url = await profilesUrl(program);
    const { origin, host, port } = new URL(url);

    const page = await fetch(url);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(page.headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    assert.equal(page.headers.get("x-content-type-options"), "nosniff");
    const html = await page.text();
    const links = [...html.matchAll(/<dt><a href="([^"]+)"/g)].map(([, href]) => href);
    assert.deepEqual(links, ["profile?seconds=30", "heap", "allocs?seconds=30"]);
    for (const link of links) assert.ok(html.includes(`go tool pprof '${url}${link}'`), html);

    const head = await fetch(`${url}profile`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-type"), "application/octet-stream");
    for (const path of ["/", "/healthz", "/metrics", "/api/me", "/debug/pprof", "/debug/pprof/cmdline"]) {
      assert.equal(await status(fetch(origin + path)), 404, path);
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const refused = await fetch(`${url}heap`, { method });
      assert.equal(refused.headers.get("allow"), "GET, HEAD");
      assert.equal(await status(refused), 405, method);
    }
    for (const seconds of ["", "0", "-1", "1.5", "301", "1e1", "ten", "1000000000000"]) {
      for (const kind of ["profile", "allocs"]) {
        assert.equal(await status(fetch(`${url}${kind}?seconds=${seconds}`)), 400, `${kind} ${seconds}`);
      }
    }
    for (
      const [site, expected] of [["cross-site", 403], ["same-site", 403], ["same-origin", 200], ["none", 200]]
    ) {
      const headers = { "sec-fetch-site": String(site) };
      assert.equal(await status(fetch(url, { headers })), expected, String(site));
    }
    const named: [string, number][] = [
      [host, 200],
      [`localhost:${port}`, 200],
      [`[::1]:${port}`, 200],
      [`attacker.example:${port}`, 403],
      ["127.0.0.1.attacker.example", 403],
      ["localhost.attacker.example", 403],
      ["192.0.2.1", 403],
    ];
    for (const [name, expected] of named) {
      using connection = await RawConnection.open(url);
      await connection.send(`GET /debug/pprof/heap HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`);
      assert.match(await connection.rest(), new RegExp(`^HTTP/1\\.1 ${expected} `), name);
    }
    const refusal = await until(
      () => program.logs().find(({ msg, status: code }) => msg === "profiling request" && code === 403),
      { what: "the refusals in the log" },
    );
    assert.equal(refusal.level, "info");
    assert.equal(refusal.ip, "127.0.0.1");
    assert.equal(refusal.route, "/debug/pprof/");

    for (const path of ["/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile?seconds=1"]) {
      assert.equal(await status(fetch(program.url + path)), 404, `the dashboard's listener has no ${path}`);
    }
  }));

Deno.test("the end of the program does not wait for a profile", async () => {
  const config = { server: { shutdown_timeout: "1h" } };
  const program = await startProgram({ env: profilingEnv, config });
  try {
    const url = await profilesUrl(program);
    const recording = await record(`${url}profile`);
    program.child.signal("SIGTERM");
    const answer = await recording.answer;
    assert.equal(answer.status, 503);
    assert.equal(await answer.text(), "The service is shutting down.\n");
    await until(() => program.child.hasExited(), { what: "the end, without the hour of the drain window" });
    assert.equal((await program.child.exited).code, 0);
  } finally {
    await program.stop();
  }
});

Deno.test("an address that is in use ends the start with an error that names the variable", async () => {
  const [port] = freePorts(1);
  using _taken = Deno.listen({ hostname: "127.0.0.1", port });
  await assert.rejects(
    startProgram({ env: { SERVICE_PPROF_LISTEN: `:${port}` } }),
    new RegExp(`SERVICE_PPROF_LISTEN: :${port} is in use by another program`),
  );
});

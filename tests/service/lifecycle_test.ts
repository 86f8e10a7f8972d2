import assert from "node:assert/strict";
import { join } from "node:path";
import { runChild, startChild } from "../support/child.ts";
import { type Client, json, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { type Program, programCommand, startProgram, withProgram } from "../support/program.ts";
import { RawConnection } from "../support/raw_connection.ts";

Deno.test("probes need no session and are not logged", () =>
  withProgram({}, async (program) => {
    const client = program.client();
    assert.deepEqual(await json(client.get("/healthz")), { status: "ok" });
    assert.deepEqual(await json(client.get("/readyz")), { status: "ready" });
    const wrong = await client.post("/readyz");
    assert.equal(wrong.headers.get("allow"), "GET, HEAD");
    assert.equal(await status(wrong), 405);
    await status(client.get("/api/me"));
    await until(() => program.logs().some(({ route }) => route === "/api/me"), { what: "the log line" });
    const routes = program.logs().filter(({ msg }) => msg === "request").map(({ route }) => route);
    // The client may read the document, to hold answers to it.
    assert.deepEqual(routes.filter((route) => route !== "/api/openapi.json"), ["/api/me"]);
  }));

Deno.test("a stop without requests in flight is prompt and clean", async () => {
  const program = await startProgram({ config: { server: { shutdown_timeout: "1h" } } });
  await status(program.client().get("/healthz"));
  program.child.signal("SIGTERM");
  await until(() => program.child.hasExited(), {
    what: "the end, without the hour that requests would have",
  });
  assert.equal((await program.child.exited).code, 0);
  assert.equal(program.logs().at(-1)?.msg, "stopped");
  await program.stop();
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal}: what is in flight finishes, new requests are refused, readyz says why`, async () => {
    const program = await startProgram();
    const admin = await program.signedIn();
    using slow = await beginPost(program, admin);
    program.child.signal(signal);
    await until(async () => {
      const answer = await fetch(`${program.url}/readyz`);
      const { status: state } = await answer.json();
      return answer.status === 503 && state === "draining";
    }, { what: "readyz to say draining" });
    assert.equal((await json(program.client().get("/healthz"))).status, "ok");
    const refused = await program.client().get("/api/me");
    assert.equal(refused.status, 503);
    assert.ok(refused.headers.get("x-request-id"));
    assert.equal((await refused.json()).error.code, "shutting_down");
    await assertCompletes(slow);
    assert.equal((await program.child.exited).code, 0);
    await program.stop();
  });
}

Deno.test("the drain window ends, and a request that does not is cut off", async () => {
  const program = await startProgram({ config: { server: { shutdown_timeout: "300ms" } } });
  const admin = await program.signedIn();
  using slow = await beginPost(program, admin);
  program.child.signal("SIGTERM");
  await assert.rejects(slow.answer());
  assert.equal((await program.child.exited).code, 0);
  assert.ok(program.logs().some(({ msg, requests }) => msg.includes("cut off") && requests === 1));
  await program.stop();
});

Deno.test("a signal that arrives twice at once still drains", async () => {
  const program = await startProgram();
  const admin = await program.signedIn();
  using slow = await beginPost(program, admin);
  // Held meanwhile, so that it sees both at once, however busy the machine is.
  for (const signal of ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"] as const) program.child.signal(signal);
  await until(() => program.logs().some(({ msg }) => msg === "shutting down"), { what: "the drain" });
  await assertCompletes(slow);
  assert.equal((await program.child.exited).code, 0);
  await program.stop();
});

Deno.test("a second signal stops at once", async () => {
  const program = await startProgram({ config: { server: { shutdown_timeout: "1h" } } });
  const admin = await program.signedIn();
  using slow = await beginPost(program, admin);
  program.child.signal("SIGTERM");
  const cutOff = assert.rejects(slow.answer());
  await until(() => {
    program.child.signal("SIGTERM");
    return program.child.hasExited();
  }, { what: "the end" });
  await cutOff;
  assert.notEqual((await program.child.exited).code, 0);
  await program.stop();
});

Deno.test("a port in use is a clear message naming the key, exit 1, and nothing is created", async () => {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const directory = await Deno.makeTempDir();
  try {
    const config = join(directory, "config.yaml");
    await Deno.writeTextFile(config, `server: {listen: "127.0.0.1:${taken.addr.port}"}\n`);
    const [command, ...args] = programCommand();
    const { code, stderr } = await runChild([command, ...args, "serve", "--config", config], {
      cwd: directory,
    });
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`server\\.listen: 127\\.0\\.0\\.1:${taken.addr.port} is in use`));
    assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), ["config.yaml"]);
  } finally {
    taken.close();
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a database that cannot be opened is a clear message and exit 1", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const config = join(directory, "config.yaml");
    await Deno.writeTextFile(config, `server: {listen: "127.0.0.1:0"}\ndb: {sqlite: {path: missing/x.db}}\n`);
    const [command, ...args] = programCommand();
    const { code, stderr } = await runChild([command, ...args, "serve", "--config", config], {
      cwd: directory,
    });
    assert.equal(code, 1);
    assert.match(stderr, /the database missing\/x\.db cannot be opened/);
    assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("without users the log says how to make the first administrator, and that works beside it", () =>
  withProgram({ users: {} }, async (program) => {
    const warning = await until(
      () => program.logs().find(({ msg }) => msg.includes("create-admin")),
      { what: "the advice" },
    );
    assert.equal(warning.level, "warn");
    const [command, ...args] = programCommand();
    const { code, stdout } = await runChild(
      [
        command,
        ...args,
        "create-admin",
        "--username",
        "ada",
        "--password-stdin",
        "--config",
        join(program.directory, "config.yaml"),
      ],
      { cwd: program.directory, stdin: "a long enough password\n" },
    );
    assert.equal(code, 0);
    const client = await program.client().signIn("ada", "a long enough password");
    const me = await json(client.get("/api/me"));
    assert.equal(me.id, stdout.trim());
    assert.equal(me.role, "admin");
  }));

Deno.test("log lines are JSON and hold no cookie, password or query value", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    await status(admin.get("/api/admin/users?query=a-secret-in-the-query"));
    await status(admin.get("/a-secret-in-the-path"));
    const line = await until(() => program.logs().find(({ route }) => route === "/api/admin/users"), {
      what: "the log line",
    });
    assert.equal(line.user, "admin");
    assert.equal(line.method, "GET");
    assert.equal(line.status, 200);
    assert.equal(typeof line.duration_ms, "number");
    assert.equal(typeof line.request_id, "string");
    const everything = program.child.stderr.join("\n");
    for (const secret of [...admin.cookies.values(), "a-secret-in-the", "correct horse"]) {
      assert.ok(!everything.includes(secret), secret);
    }
  }));

Deno.test("the log can be text for people", async () => {
  const directory = await Deno.makeTempDir();
  const config = join(directory, "config.yaml");
  await Deno.writeTextFile(config, 'server: {listen: "127.0.0.1:0"}\nlog: {format: text}\n');
  const child = startChild([...programCommand(), "serve", "--config", config], { cwd: directory });
  try {
    const line = await until(() => child.stderr.find((text) => text.includes("listening")), {
      what: "the log",
    });
    assert.match(line, /^\S+Z INFO {2}listening address=http:\/\/127\.0\.0\.1:\d+$/);
  } finally {
    await child.stop();
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("the log's level leaves the lesser lines out", async () => {
  const directory = await Deno.makeTempDir();
  const config = join(directory, "config.yaml");
  await Deno.writeTextFile(config, 'server: {listen: "127.0.0.1:0"}\n');
  const env = { SERVICE_LOG_LEVEL: "warn" };
  const child = startChild([...programCommand(), "serve", "--config", config], { cwd: directory, env });
  try {
    await until(() => child.stderr.some((text) => text.includes("create-admin")), { what: "the log" });
    assert.deepEqual(child.stderr.filter((text) => text.includes('"level":"info"')), []);
  } finally {
    await child.stop();
    await Deno.remove(directory, { recursive: true });
  }
});

const userParts = ['{"username":"ann","role":"user",', '"password":"a long enough password"}'];

/** Begins to make a user, and stops in the middle of the body, which the program has begun to read by then. */
async function beginPost({ url }: Program, { cookies }: Client): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  const head = [
    "POST /api/admin/users HTTP/1.1",
    `host: ${new URL(url).host}`,
    `cookie: ${[...cookies].map((pair) => pair.join("=")).join("; ")}`,
    `x-csrf-token: ${cookies.get("service_csrf")}`,
    "content-type: application/json",
    `content-length: ${userParts.join("").length}`,
    "expect: 100-continue",
  ];
  await connection.send(`${head.join("\r\n")}\r\n\r\n`);
  assert.equal((await connection.answer()).status, 100);
  await connection.send(userParts[0]);
  return connection;
}

/** Sends the rest of what {@link beginPost} has begun, whose answer has to be the new user. */
async function assertCompletes(connection: RawConnection): Promise<void> {
  await connection.send(userParts[1]);
  const { status, body } = await connection.answer();
  assert.equal(status, 201, body);
  assert.equal(JSON.parse(body).username, "ann");
}

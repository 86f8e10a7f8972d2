import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { type Child, runChild, startChild } from "../support/child.ts";
import { requireExecutable, skipWithout } from "../support/executables.ts";
import { Client, json, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { programCommand } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, withUpstream } from "../support/upstreams.ts";

/** What a quickstart printed, and the process. */
interface Quickstart {
  readonly child: Child;
  readonly url: string;
  readonly password: string;
  /** What it printed on how programs use the S3 endpoint; empty where it printed nothing. */
  readonly endpoint: { readonly url: string; readonly accessKey: string; readonly secretKey: string };
  /** The command it gives to try the endpoint. */
  readonly tryIt: string;
}

/** Starts quickstart in `cwd` on a free port and waits for its last line. */
async function start(
  cwd: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Quickstart> {
  const listeners = ["--listen", "127.0.0.1:0", "--proxy-listen", "127.0.0.1:0"];
  const command = [...programCommand(), "quickstart", ...listeners, ...args];
  const child = startChild(command, { cwd, env: { NO_COLOR: "1", ...env } });
  try {
    await until(() => child.hasExited() || child.stdout.includes("Ctrl-C stops it."), {
      timeoutMs: 60_000,
      what: "quickstart to be ready",
    });
    const value = (name: string) => {
      const line = child.stdout.find((text) => text.startsWith(`  ${name} `));
      assert.ok(line, [...child.stdout, ...child.stderr].join("\n"));
      return line.slice(`  ${name} `.length).trim();
    };
    const tryIt = child.stdout.find((line) => line.startsWith("  AWS_ACCESS_KEY_ID="))?.trim() ?? "";
    const endpoint = tryIt === ""
      ? { url: "", accessKey: "", secretKey: "" }
      : { url: value("Endpoint"), accessKey: value("Access key"), secretKey: value("Secret key") };
    return { child, url: value("URL"), password: value("Password"), endpoint, tryIt };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Runs `body` with a quickstart, which then has to end cleanly on SIGTERM. */
async function withQuickstart(
  cwd: string,
  body: (quickstart: Quickstart) => Promise<void>,
  args?: readonly string[],
  env?: Record<string, string>,
): Promise<void> {
  const quickstart = await start(cwd, args, env);
  try {
    await body(quickstart);
  } finally {
    assert.equal((await quickstart.child.stop(20_000)).code, 0, quickstart.child.stderr.join("\n"));
  }
}

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "quickstart-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Names of folders and objects directly under a prefix of the sample bucket. */
async function list(client: Client, prefix: string, backend = "embedded"): Promise<string[]> {
  const path = `/api/backends/${backend}/buckets/sample-data/objects?delimiter=/&prefix=${
    encodeURIComponent(prefix)
  }`;
  const { common_prefixes: folders, objects } = await json(client.get(path));
  return [...folders, ...objects.map(({ key }: { key: string }) => key)];
}

/** How many objects of the sample bucket there are at the S3 endpoint. */
async function countAt({ url, accessKey, secretKey }: Quickstart["endpoint"]): Promise<number> {
  using s3 = s3Client({ endpoint: url, region: "us-east-1", accessKey, secretKey });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "sample-data" }));
  return Contents.length;
}

// One test, since it takes some seconds to store the sample data.
Deno.test("the first start makes sample data and keys, later ones keep everything", (t) =>
  withFolder(async (folder) => {
    let first: Quickstart | undefined;
    await withQuickstart(folder, async (quickstart) => {
      first = quickstart;
      const { child, url, password, endpoint, tryIt } = quickstart;
      const client = await new Client(url).signIn("admin", password);

      await t.step("a newcomer who has signed in finds the sample data", async () => {
        assert.match(password, /^[\w-]{20}$/);
        assert.deepEqual(await list(client, ""), ["documents/", "pictures/", "readings/", "welcome.txt"]);
        assert.deepEqual(await list(client, "documents/"), [
          ...["documents/日本語/", "documents/inventory.csv", "documents/report.pdf"],
        ]);
        assert.equal((await list(client, "readings/")).length, 6);
        assert.equal((await list(client, "readings/station-2/")).length, 150);
        const object = "/api/backends/embedded/buckets/sample-data/object";
        const picture = await client.get(`${object}?key=pictures/hills.png`);
        assert.equal(picture.headers.get("content-type"), "image/png");
        const bytes = new Uint8Array(await picture.arrayBuffer());
        assert.deepEqual([...bytes.subarray(1, 4)], [0x50, 0x4e, 0x47]);
        assert.deepEqual(child.stderr.filter((line) => !line.startsWith("Warning")), []);
      });

      await t.step(
        "what it keeps can be read by its owner only, and it listens on loopback only",
        async () => {
          for (const name of ["", "quickstart.json", "root.key"]) {
            const { mode } = await Deno.stat(join(folder, "data", name));
            assert.equal((mode ?? 0) & 0o077, 0, name);
          }
          assert.doesNotMatch(await Deno.readTextFile(join(folder, "data", "config.yaml")), /secret_key: /);
          const { secret_key: secretKey } = JSON.parse(
            await Deno.readTextFile(join(folder, "data", "quickstart.json")),
          );
          assert.ok(!child.stdout.join("\n").includes(secretKey));
          const s3 = child.stdout.find((line) => line.startsWith("S3 server"))?.match(/http:\S+/)?.[0] ?? "";
          for (const address of [url, s3, endpoint.url]) assert.equal(new URL(address).hostname, "127.0.0.1");
          assert.equal(await status(fetch(s3)), 403);
        },
      );

      await t.step("programs get a key pair for the S3 endpoint", async () => {
        assert.match(endpoint.accessKey, /^AKIA[A-Z2-7]{16}$/);
        assert.equal(await countAt(endpoint), 1000);
        assert.ok(!child.stderr.join("\n").includes(endpoint.secretKey));
      });

      await t.step({
        name: "the printed command lists the sample bucket as it stands",
        ignore: skipWithout("aws"),
        async fn() {
          const path = `${dirname(requireExecutable("aws"))}:${Deno.env.get("PATH")}`;
          const { code, stdout, stderr } = await runChild(["sh", "-c", tryIt], {
            cwd: folder,
            env: { PATH: path },
          });
          assert.equal(code, 0, stderr);
          assert.match(stdout, /PRE documents\//);
          assert.match(stdout, /welcome\.txt/);
        },
      });

      await t.step("a second one on the same data folder is refused", async () => {
        const listeners = ["--listen", "127.0.0.1:0", "--proxy-listen", "127.0.0.1:0"];
        const { code, stderr } = await runChild([...programCommand(), "quickstart", ...listeners], {
          cwd: folder,
        });
        assert.equal(code, 1);
        assert.match(stderr, /--data-dir: .* is in use by another server/);
      });

      const path = "/api/backends/embedded/buckets/sample-data/object?key=welcome.txt";
      assert.equal(await status(client.delete(path)), 204);
    });
    await t.step(
      "the second start keeps everything, and prints the key pair again",
      () =>
        withQuickstart(folder, async ({ url, password, endpoint }) => {
          assert.match(password, /^as before .*--admin-password NEW/);
          assert.equal(endpoint.accessKey, first?.endpoint.accessKey);
          assert.equal(endpoint.secretKey, first?.endpoint.secretKey);
          const client = await new Client(url).signIn("admin", first?.password ?? "");
          assert.deepEqual(await list(client, ""), ["documents/", "pictures/", "readings/"]);
          assert.equal(await status(client.delete(`/api/admin/s3-credentials/${endpoint.accessKey}`)), 204);
        }),
    );
    await t.step(
      "another password can be given; a key pair that was deleted is made anew",
      () =>
        withQuickstart(folder, async ({ url, password, endpoint }) => {
          assert.match(password, /as given/);
          await assert.rejects(new Client(url).signIn("admin", first?.password ?? ""));
          await new Client(url).signIn("admin", "another long password");
          assert.notEqual(endpoint.accessKey, first?.endpoint.accessKey);
          assert.equal(await countAt(endpoint), 1000);
        }, ["--admin-password", "another long password"]),
    );
  }));

Deno.test("a port in use is a clear error that names the flag, and nothing is made", () =>
  withFolder(async (folder) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const address = `127.0.0.1:${taken.addr.port}`;
    for (const [flag, other] of [["--listen", "--proxy-listen"], ["--proxy-listen", "--listen"]]) {
      const command = [...programCommand(), "quickstart", flag, address, other, "127.0.0.1:0"];
      const { code, stderr } = await runChild(command, { cwd: folder });
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`(^|\\s)${flag}: ${address} is in use by another program`));
      assert.deepEqual([...Deno.readDirSync(folder)], []);
    }
  }));

Deno.test("bad flags are refused before anything is made", () =>
  withFolder(async (folder) => {
    const refusals: [string[], RegExp][] = [
      [["--listen", "nonsense"], /--listen "nonsense" is not an address/],
      [["--proxy-listen", "nonsense"], /--proxy-listen "nonsense" is not an address/],
      [["--proxy-listen", "127.0.0.1:8080"], /--proxy-listen must differ from --listen/],
      [["--admin-username", "a b"], /--admin-username must be 1 to 64 letters/],
      [["--admin-password", "short"], /--admin-password: The password needs at least 12 characters/],
      [["--upstream", "s3.example.com"], /--upstream: give a URL/],
      [["--upstream", "http://user:secret@127.0.0.1/path"], /--upstream: the URL may only have/],
      [["--upstream", "http://127.0.0.1:1"], /--upstream: the server needs keys: set AWS_ACCESS_KEY_ID/],
      [["--pass"], /unknown flag --pass/],
    ];
    for (const [args, message] of refusals) {
      const { code, stderr } = await runChild([...programCommand(), "quickstart", ...args], {
        cwd: folder,
        env: { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" },
      });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /:secret@/);
    }
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  }));

Deno.test("another S3 server is used as it is: its keys from the environment or the URL, no sample data", () =>
  withUpstream("embedded", ({ endpoint, accessKey, secretKey }) =>
    withFolder(async (folder) => {
      const check = async ({ url, password }: Quickstart) => {
        const client = await new Client(url).signIn("admin", password);
        assert.deepEqual((await json(client.get("/api/backends/upstream/buckets"))).buckets, []);
      };
      const env = { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey };
      await withQuickstart(folder, check, ["--upstream", endpoint, "--data-dir", "one"], env);
      const withKeys = endpoint.replace("//", `//${accessKey}:${secretKey}@`);
      await withQuickstart(folder, check, ["--upstream", withKeys, "--data-dir", "two"]);
    })));

for (const kind of ["minio", "versitygw"] as const) {
  Deno.test({
    name: `${kind} is started from PATH with sample data, and ends with quickstart`,
    ignore: skipUpstream(kind),
    fn: () =>
      withFolder(async (folder) => {
        let server = "";
        const path = `${Deno.env.get("PATH")}:${Deno.env.get("HOME")}/go/bin`;
        await withQuickstart(
          folder,
          async ({ child, url, password }) => {
            const client = await new Client(url).signIn("admin", password);
            assert.equal((await list(client, "", kind)).length, 4);
            server = child.stdout.find((line) => line.startsWith("S3 server"))?.match(/http:\S+/)?.[0] ?? "";
          },
          ["--upstream", kind],
          { PATH: path },
        );
        await assert.rejects(fetch(server), TypeError);
      }),
  });
}

/**
 * Runs `body` with a `PATH` on which `minio` is a script that runs `command`, and a function that tells how many times it
 * was run.
 */
async function withMinio(
  folder: string,
  command: string,
  body: (path: string, runs: () => number) => Promise<void>,
): Promise<void> {
  const bin = join(folder, "bin");
  await Deno.mkdir(bin);
  const log = join(bin, "runs");
  const script = `#!/bin/sh\necho run >> "${log}"\n${command}\nexit 1\n`;
  await Deno.writeTextFile(join(bin, "minio"), script, { mode: 0o755 });
  const runs = () => Deno.readTextFileSync(log).split("\n").length - 1;
  await body(`${bin}:${Deno.env.get("PATH")}`, runs);
}

Deno.test({
  name: "a server that finds its port taken is started again",
  ignore: skipUpstream("minio"),
  fn: () =>
    withFolder((folder) => {
      const log = join(folder, "bin", "runs");
      const command = `[ $(wc -l < "${log}") -gt 1 ] && exec "${requireExecutable("minio")}" "$@"`;
      return withMinio(folder, command, async (path, runs) => {
        await withQuickstart(
          folder,
          async ({ url, password }) => {
            assert.equal(runs(), 2);
            const client = await new Client(url).signIn("admin", password);
            assert.equal((await list(client, "", "minio")).length, 4);
          },
          ["--upstream", "minio"],
          { PATH: path },
        );
      });
    }),
});

Deno.test("a server that never starts is told of", () =>
  withFolder((folder) =>
    withMinio(folder, "", async (path, runs) => {
      const listeners = ["--listen", "127.0.0.1:0", "--proxy-listen", "127.0.0.1:0"];
      const command = [...programCommand(), "quickstart", ...listeners, "--upstream", "minio"];
      const { code, stderr } = await runChild(command, { cwd: folder, env: { PATH: path } });
      assert.equal(code, 1);
      assert.match(stderr, /--upstream: minio did not start: run it by hand to see why/);
      assert.equal(runs(), 3);
    })
  ));

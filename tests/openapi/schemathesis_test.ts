import assert from "node:assert/strict";
import { join } from "node:path";
import { backendId, bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { startChild } from "../support/child.ts";
import { requireExecutable, skipWithout } from "../support/executables.ts";
import { json, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

/** How long requests are made up, in seconds. */
const budget = 75;

/** Operations that would end the session that all others need, or lock its user out. */
const excludedPaths = String.raw`^/auth/|^/api/me/(password|sessions)`;

/**
 * What is asked for exists, so that more than the look for it is tried. The bucket is to stay, and so is the password of
 * the user who asks.
 */
const configuration = (userId: string) => `
[parameters]
"path.bid" = "${backendId}"
"path.bucket" = "${bucketName}"

[[operations]]
include-name = "DELETE /api/backends/{bid}/buckets/{bucket}"
parameters = { "path.bucket" = "another-bucket" }

[[operations]]
include-name = "POST /api/admin/users/{id}/reset-password"
parameters = { "path.id" = "${userId}" }
`;

const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];

if (!skipWithout("schemathesis")) {
  upstreamTest(
    ["minio"],
    "made-up requests, right and wrong ones, are answered as documented",
    (upstream) =>
      withBucket(upstream, fuzz, {
        users: { admin: "admin", ann: "user" },
        config: {
          ratelimit: { api_per_minute: 0 },
          s3_proxy: { enabled: true, listen: "127.0.0.1:0" },
        },
      }),
  );
}

async function fuzz({ program, client, upload }: TestBucket): Promise<void> {
  await upload("some/key.txt", "content", "text/plain");
  const config = join(program.directory, "schemathesis.toml");
  const { users } = await json(client.get("/api/admin/users?query=ann"));
  await Deno.writeTextFile(config, configuration(users[0].id));
  const cookies = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const child = startChild([
    requireExecutable("schemathesis"),
    `--config-file=${config}`,
    "run",
    `${program.url}/api/openapi.json`,
    `--header=Cookie: ${cookies}`,
    `--header=X-CSRF-Token: ${client.cookies.get("service_csrf")}`,
    `--exclude-path-regex=${excludedPaths}`,
    `--checks=${checks.join(",")}`,
    "--phases=coverage,fuzzing",
    "--mode=all",
    "--seed=1",
    `--max-time=${budget}`,
    "--continue-on-failure",
    "--suppress-health-check=all",
    "--warnings=off",
  ], { cwd: program.directory });
  const timer = setTimeout(() => child.signal("SIGKILL"), 4 * budget * 1000);
  const { code } = await child.exited;
  clearTimeout(timer);
  const output = [...child.stdout, ...child.stderr].join("\n");
  const unexpected = program.logs().filter(({ msg }) => msg === "a request failed unexpectedly");
  assert.deepEqual(unexpected, [], output);
  assert.equal(code, 0, output);
  // Nothing was left out in silence, for want of a session or of an operation to try.
  assert.equal(await status(client.get("/api/me")), 200);
  const requests = program.logs().filter(({ msg }) => msg === "request");
  assert.ok(requests.length > 500, output);
  assert.equal(requests.filter((request) => request.status === 401).length, 0, output);
}

import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { loadConfig } from "../../src/config/load.ts";
import { decodeSecret } from "../../src/proxy/credentials/kubernetes/secret.ts";
import { secretSchema } from "../../src/proxy/credentials/kubernetes/wire.ts";
import { type Operation, operations } from "../../src/proxy/operations.ts";
import { S3Error, type S3ErrorCode } from "../../src/proxy/s3_error.ts";
import { base64 } from "../support/kubernetes_server.ts";

const guide = await readPage("s3-endpoint.md");
const kubernetes = await readPage("kubernetes.md");

Deno.test("the guide has every operation that is offered, with its audit action", () => {
  const documented = rowsOf(guide, "## Operations").map(([name, , audit]) => [code(name), code(audit)]);
  const offered = Object.values<Operation>(operations).filter(({ refusal }) => refusal === undefined);
  assert.deepEqual(documented.sort(), offered.map(({ name, audit }) => [name, audit]).sort());
});

Deno.test("the guide has the errors with their status", () => {
  // Those of the way to a backend, whose status tells apart what their code does not.
  const ofBackend = ["502 ServiceUnavailable", "504 RequestTimeout"];
  const documented = rowsOf(guide, "## Errors")
    .flatMap(([status, codes]) => codes.split(", ").map((each) => `${status} ${code(each)}`))
    .filter((row) => !ofBackend.includes(row));
  assert.ok(documented.length > 30);
  for (const row of documented) {
    const [status, name] = row.split(" ");
    assert.equal(new S3Error(name as S3ErrorCode, "").status, Number(status), row);
  }
});

Deno.test("the Secrets of the Kubernetes guide are what they are said to be", () => {
  const secrets = manifests("Secret").map((manifest) => decodeSecret(asSent(manifest)));
  assert.deepEqual(secrets, [
    {
      credential: {
        accessKeyId: "AKIAREPORTS",
        secretKey: "bm90LWEtcmVhbC1zZWNyZXQtanVzdC1hbi1leGFtcGxl",
        buckets: new Map([["reports", "main"], ["archive", "main"]]),
        prefix: "",
        readOnly: false,
        enabled: true,
        expiresAt: Date.UTC(2030, 0, 31, 12),
        userId: "",
        createdAt: 0,
        source: "kubernetes",
      },
      quota: { backend: "main", bucket: "reports", softBytes: 8e9, hardBytes: 10e9 },
    },
    { binding: { backend: "main", bucket: "downloads", perSourceIpRps: 50, source: "kubernetes" } },
  ]);
});

Deno.test("the configuration of the Kubernetes guide is valid", async () => {
  const [manifest] = manifests("ConfigMap");
  const { data } = z.object({ data: z.record(z.string(), z.string()) }).parse(manifest);
  const variables: Record<string, string> = {
    SERVICE_SECRET_KEY: "0".repeat(64),
    MAIN_ACCESS_KEY: "access",
    MAIN_SECRET_KEY: "secret",
  };
  const { config, warnings } = await loadConfig({
    path: "config.yaml",
    env: { get: (name) => variables[name] },
    readTextFile: () => Promise.resolve(data["config.yaml"]),
  });
  assert.deepEqual(warnings, []);
  assert.equal(config.s3_proxy.kubernetes.enabled, true);
});

function readPage(name: string): Promise<string> {
  return Deno.readTextFile(new URL(`../../docs/${name}`, import.meta.url));
}

/** The cells of the last table of a section. */
function rowsOf(page: string, heading: string): string[][] {
  const section = page.split(`\n${heading}\n`)[1].split("\n## ")[0];
  const rows = section.split("\n").filter((line) => line.startsWith("|")).slice(2);
  return rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** The text of a cell or of a part of it, which is marked as code. */
function code(text: string): string {
  const [, content] = /^`(.+)`$/.exec(text) ?? assert.fail(`${text} is not marked as code`);
  return content;
}

/** The manifests of a kind in the order of the page. */
function manifests(kind: string): unknown[] {
  return [...kubernetes.matchAll(/```yaml\n([^]*?)```/g)]
    .flatMap(([, text]) => [...parseAllDocuments(text)])
    .map((document) => document.toJS())
    .filter((manifest) => manifest.kind === kind);
}

/** A Secret as the API server hands it out: `stringData` has become `data`. */
function asSent(manifest: unknown) {
  const { metadata, stringData } = z.object({
    metadata: z.record(z.string(), z.unknown()),
    stringData: z.record(z.string(), z.string()),
  }).parse(manifest);
  return secretSchema.parse({
    metadata: { ...metadata, resourceVersion: "1" },
    data: Object.fromEntries(Object.entries(stringData).map(([name, text]) => [name, base64(text)])),
  });
}

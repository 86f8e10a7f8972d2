/**
 * Sends one large object up and down through the dashboard and, in the same run, straight to the upstream. Prints how
 * far the program's resident set grew and the ratio of both rates.
 *
 *     deno run --allow-all bench/large_object.ts [--upstream=minio] [--size=5GiB]
 */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { Signer, unsignedPayload } from "../src/sigv4/sign.ts";
import { startChild } from "../tests/support/child.ts";
import type { Client } from "../tests/support/http_client.ts";
import { withProgram } from "../tests/support/program.ts";
import { s3Client } from "../tests/support/s3_client.ts";
import { type Upstream, type UpstreamKind, withUpstream } from "../tests/support/upstreams.ts";
import type { Transfer } from "./large_object_client.ts";
import { residentBytes } from "./process_stats.ts";
import { mebibyte, parseSize } from "./sizes.ts";

const bucket = "large-objects";
const sampleIntervalMs = 20;

/** Runs `work` and returns by how much the resident set of `pid` grew at most. */
async function peakGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  const before = residentBytes(pid);
  let peak = before;
  const timer = setInterval(() => peak = Math.max(peak, residentBytes(pid)), sampleIntervalMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak - before;
}

/** Runs one transfer in a process of its own and returns its rate in bytes a second. */
async function rate(transfer: Transfer): Promise<number> {
  const script = fileURLToPath(new URL("./large_object_client.ts", import.meta.url));
  const client = startChild([Deno.execPath(), "run", "--quiet", "--allow-all", script], {
    stdin: JSON.stringify(transfer),
  });
  const { success } = await client.exited;
  if (!success) throw new Error(client.stderr.join("\n"));
  return transfer.size / Number(client.stdout[0]);
}

/** The transfers that the program is measured with. */
function throughDashboard(url: string, client: Client, size: number): Record<string, Transfer> {
  const object = `${url}/api/backends/main/buckets/${bucket}/object`;
  const headers = {
    "cookie": [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    "x-csrf-token": client.cookies.get("service_csrf") ?? "",
  };
  const boundary = "----large-object";
  const field = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  return {
    "raw upload": {
      method: "POST",
      url: `${object}?key=raw`,
      headers: { ...headers, "content-type": "application/octet-stream" },
      size,
    },
    "form upload": {
      method: "POST",
      url: object,
      headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}` },
      size,
      before: `${field("key")}\r\n\r\nform\r\n${field("file")}; filename="large"\r\n\r\n`,
      after: `\r\n--${boundary}--\r\n`,
    },
    "download": { method: "GET", url: `${object}?key=raw`, headers, size },
  };
}

/** The same two ways straight to the upstream. */
function direct(upstream: Upstream, method: "PUT" | "GET", size: number): Transfer {
  const url = new URL(`${upstream.endpoint}/${bucket}/direct`);
  const headers = new Headers({ host: url.host });
  new Signer({ accessKeyId: upstream.accessKey, secretKey: upstream.secretKey, region: upstream.region })
    .sign({ method, path: url.pathname, query: "", headers }, unsignedPayload, Date.now());
  return { method, url: url.href, headers: Object.fromEntries(headers), size };
}

const { values } = parseArgs({
  options: { upstream: { type: "string", default: "minio" }, size: { type: "string", default: "5GiB" } },
});
const size = parseSize("size", values.size);

await withUpstream(values.upstream as UpstreamKind, async (upstream) => {
  {
    using s3 = s3Client(upstream);
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  }
  const reference = {
    upload: await rate(direct(upstream, "PUT", size)),
    download: await rate(direct(upstream, "GET", size)),
  };
  await withProgram({ backends: [{ id: "main", upstream }] }, async (program) => {
    const client = await program.signedIn();
    // What the first request of each kind costs is not what a large object costs.
    for (const transfer of Object.values(throughDashboard(program.url, client, mebibyte))) {
      await rate(transfer);
    }
    console.log(`${values.size} through the dashboard to ${values.upstream}:`);
    for (const [name, transfer] of Object.entries(throughDashboard(program.url, client, size))) {
      let speed = 0;
      const growth = await peakGrowth(program.child.pid, async () => {
        speed = await rate(transfer);
      });
      const straight = transfer.method === "GET" ? reference.download : reference.upload;
      console.log(
        `${name.padEnd(12)} ${(speed / mebibyte).toFixed(0).padStart(5)} MiB/s,` +
          ` ${(speed / straight).toFixed(2)} of ${(straight / mebibyte).toFixed(0)} MiB/s directly,` +
          ` resident set +${(growth / mebibyte).toFixed(0)} MiB`,
      );
    }
  });
});

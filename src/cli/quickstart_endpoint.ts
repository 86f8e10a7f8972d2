import type { App } from "../app.ts";
import { Problem } from "../problem.ts";
import { sampleBucket } from "../quickstart/sample_data.ts";
import { type QuickstartState, saveState } from "../quickstart/state.ts";
import type { Upstream } from "../quickstart/upstream.ts";
import { CommandError, type CommandIo } from "./command.ts";

/** Most buckets that the credential of a quickstart reaches. */
const maxBuckets = 100;

/** What {@link announceEndpoint} works with. */
interface EndpointPlan {
  readonly directory: string;
  readonly state: QuickstartState;
  readonly upstream: Upstream;
}

/** Says how programs use the S3 endpoint: its address, a key pair, and a command that works as it stands. */
export async function announceEndpoint(
  app: App,
  url: string | null,
  plan: EndpointPlan,
  io: CommandIo,
): Promise<void> {
  if (url === null) return;
  const { upstream } = plan;
  const buckets = await bucketsOf(app, upstream);
  if (buckets.length === 0) {
    io.stdout(`S3 endpoint for programs: ${url} (make a bucket, then a credential for it in the dashboard)`);
    return io.stdout("");
  }
  const { access_key: accessKey, secret_key: secretKey } = await prepareCredential(app, buckets, plan);
  const bucket = buckets.includes(sampleBucket) ? sampleBucket : buckets[0];
  const lines = [
    "The S3 endpoint for programs is ready:",
    `  Endpoint    ${url}`,
    `  Access key  ${accessKey}`,
    `  Secret key  ${secretKey}`,
    "Try it with the AWS CLI:",
    `  AWS_ACCESS_KEY_ID=${accessKey} AWS_SECRET_ACCESS_KEY=${secretKey} ` +
    `aws --endpoint-url ${url} --region ${upstream.region} s3 ls s3://${bucket}/`,
    "",
  ];
  lines.forEach(io.stdout);
}

async function bucketsOf(app: App, upstream: Upstream): Promise<string[]> {
  if (upstream.isOwn) return [sampleBucket];
  try {
    return (await app.listBuckets(upstream.id, AbortSignal.timeout(10_000))).slice(0, maxBuckets);
  } catch (error) {
    // A key that may not list its buckets is fine for everything else.
    if (error instanceof Problem) return [];
    throw error;
  }
}

/** The key pair of the last start, or a new one when that is gone. */
async function prepareCredential(app: App, buckets: string[], { directory, state, upstream }: EndpointPlan) {
  const { s3Credentials } = app;
  if (s3Credentials === null) throw new CommandError("the S3 endpoint is not enabled");
  const kept = state.credentials[upstream.id];
  if (kept !== undefined && s3Credentials.list().some(({ accessKeyId }) => accessKeyId === kept.access_key)) {
    return kept;
  }
  try {
    const minted = await s3Credentials.create("", {
      backendId: upstream.id,
      buckets,
      description: "made by quickstart",
      userId: null,
    }, AbortSignal.timeout(10_000));
    const pair = { access_key: minted.record.accessKeyId, secret_key: minted.secretKey };
    const credentials = { ...state.credentials, [upstream.id]: pair };
    await saveState(directory, { ...state, credentials });
    return pair;
  } catch (error) {
    if (error instanceof Problem) {
      throw new CommandError(`the credential for the S3 endpoint could not be made: ${error.message}`);
    }
    throw error;
  }
}

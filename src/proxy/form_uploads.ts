import type { RequestContext } from "./context.ts";
import { bucketUrl } from "./own_url.ts";
import { postObject } from "./post_object.ts";
import { answerLocally } from "./relay.ts";
import type { OperationServices } from "./services.ts";

/** POST Object: stores the file of a form that its policy allows. The form itself says who has signed it. */
export async function receiveForm(context: RequestContext, services: OperationServices): Promise<void> {
  const { exchange, target, head, requestId } = context;
  const { admission, connect, clock, ledger, logger } = services;
  const gone = new AbortController();
  exchange.onGone = () => {
    context.isGone = true;
    gone.abort();
  };
  const answer = await postObject({
    bucket: target.bucket,
    bucketUrl: bucketUrl(context),
    contentType: head.headers.get("content-type"),
    contentLength: exchange.body.length,
    body: exchange.body,
    signal: gone.signal,
  }, {
    clock,
    ledger,
    logger,
    findCredential: (accessKeyId) => admission.findClaimed(context, accessKeyId),
    admit: (credential) => {
      admission.admitVerified(context, credential);
      return connect(context.backend);
    },
    requireStillAdmitted: () => admission.requireStillAdmitted(context),
    onKey: (key) => context.target = { ...target, key, rawKey: key },
  });
  const id = ["x-amz-request-id", requestId] as const;
  await answerLocally(context, { ...answer, headers: [id, ...answer.headers] });
}

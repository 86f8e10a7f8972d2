import { z } from "zod";
import { defineRoute, type RequestContext, type Route } from "../../http/route.ts";
import { discardBody, uploadedBytes } from "../../objects/body.ts";
import { formBoundary, readField, readForm } from "../../objects/form_data.ts";
import { badRequest, Problem } from "../../problem.ts";
import { failureQuery, redirect } from "../public/form_answer.ts";
import type { ShareContext, ShareGate } from "../public/gate.ts";
import { nothingThere } from "../public/neutral_problem.ts";
import { recorded } from "../public/recorded.ts";
import type { Share } from "../share.ts";
import type { FileReceiver, ReceivedFile, SentFile } from "./receiving.ts";
import { sentContent } from "./sent_content.ts";

/** What {@link sendingRoute} needs. */
export interface SendingRouteDeps {
  readonly gate: ShareGate;
  readonly receiver: FileReceiver;
}

/** Longest name that is taken, in characters; what is kept of it is shorter. */
const maxNameLength = 1024;

/** Bounds of what a form has besides files. */
const maxFields = 100;
const maxFieldBytes = 8 * 1024;

/** Files of a form that the audit names; beyond, it tells how many there were. */
const maxNotedPaths = 1000;

const sendingQuery = z.object({
  name: z.string().min(1).max(maxNameLength).optional()
    .meta({ description: "What the file is called; for a body that is no form" }),
  folder: z.string().max(maxNameLength).default("").meta({
    description: "The folders that it was in, parted by slashes; kept where the link says so",
  }),
});

const receivedSchema = z.strictObject({
  name: z.string().meta({ description: "The name, without what no key may hold" }),
  folder: z.string().meta({
    description: "The folders that were kept, with a slash at the end; empty for none",
  }),
  size: z.int(),
});

/** The route by which strangers send files to whoever asked for them. */
export function sendingRoute(deps: SendingRouteDeps): Route {
  return defineRoute({
    method: "POST",
    path: "/s/{code}/files",
    guard: "public",
    errorPages: true,
    summary:
      "Send a file to whoever asked for it by a link for uploads, as a raw body or with others as a form",
    audit: "share.upload",
    auditDetail: { result: "error" },
    query: sendingQuery,
    bodies: {
      "application/octet-stream": null,
      "multipart/form-data": z.object({ file: z.array(z.string()).meta({ description: "Files" }) }),
    },
    answers: { 201: receivedSchema, 303: null },
    errors: [401, 409, 410, 429, 502, 504, 507],
    async handler(context) {
      const { request } = context;
      try {
        const boundary = formBoundary(request.headers.get("content-type"));
        return boundary === null
          ? await recorded(context, () => sendBody(deps, context))
          : await sendForm(deps, context, boundary);
      } catch (error) {
        await discardBody(request.body);
        throw error;
      }
    },
  });
}

async function sendBody(
  { gate, receiver }: SendingRouteDeps,
  context: RequestContext<z.output<typeof sendingQuery>, unknown, "public">,
): Promise<Response> {
  const { request, query: { name, folder }, audit } = context;
  const share = admitSender(gate, context);
  if (name === undefined) throw badRequest("name: is missing", { field: "name" });
  const length = request.headers.get("content-length");
  const size = length === null ? undefined : Number(length);
  const leave = receiver.enter(context, share, request.body === null ? 0 : size);
  const sent: SentFile = {
    name,
    folder,
    content: uploadedBytes(request.body, size),
    size: request.body === null ? 0 : size,
  };
  const file = await receiver.receive(context, share, sent).finally(leave);
  Object.assign(audit.detail, { path: file.key.slice(share.key.length), size: file.size, counted: true });
  return Response.json({ name: file.name, folder: file.folder, size: file.size }, { status: 201 });
}

/**
 * Stores the files of a browser's form one after the other and sends the browser back to the page, which says how many have
 * arrived and what kept the others from it. What the files are of in the storage is one record of the audit.
 */
async function sendForm(deps: SendingRouteDeps, context: ShareContext, boundary: string): Promise<Response> {
  const { request, params, audit } = context;
  const received: ReceivedFile[] = [];
  const answer = new URLSearchParams();
  try {
    await recorded(context, async () => {
      await receiveForm(deps, context, boundary, received);
      return new Response();
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await discardBody(request.body);
    audit.status = "error";
    audit.detail.code = error.code;
    for (const [name, value] of failureQuery(error)) answer.set(name, value);
  }
  if (received.length > 0) answer.set("sent", String(received.length));
  return redirect(`/s/${encodeURIComponent(params.code)}?${answer}`);
}

/** The link is looked at before the form is: whoever has none must not be listened to. */
async function receiveForm(
  { gate, receiver }: SendingRouteDeps,
  context: ShareContext,
  boundary: string,
  received: ReceivedFile[],
): Promise<void> {
  const { request, audit } = context;
  let share = admitSender(gate, context);
  const leave = receiver.enter(context, share);
  // The patience with a sender is for the form as a whole, too.
  const bytes = sentContent(uploadedBytes(request.body), () => {});
  let fields = 0;
  let size = 0;
  const paths: string[] = [];
  try {
    for await (const part of readForm(bytes, boundary)) {
      // A form without a choice has one file without a name.
      if (part.name !== "file" || !part.filename) {
        if (++fields > maxFields) throw badRequest(`The form has more than ${maxFields} fields.`);
        await readField(part, maxFieldBytes);
        continue;
      }
      if (received.length > 0) share = admitSender(gate, context);
      const file: SentFile = { name: part.filename, folder: "", content: part.content };
      const stored = await receiver.receive(context, share, file);
      received.push(stored);
      size += stored.size;
      const path = stored.key.slice(share.key.length);
      if (paths.length < maxNotedPaths) paths.push(path);
      Object.assign(audit.detail, { path: paths[0], paths, files: received.length, size, counted: true });
    }
    if (received.length === 0) throw badRequest("file: is missing", { field: "file" });
  } finally {
    if (received.length > 0) audit.key = received[0].key;
    await bytes.return(undefined);
    leave();
  }
}

/** Counts a file of a client and gives the share that takes it. Throws what keeps it from that. */
function admitSender(gate: ShareGate, context: ShareContext): Share {
  const found = gate.find(context);
  // Codes are tried out here no faster than elsewhere.
  gate.limit(context.client, found === null ? "access" : "upload");
  const share = gate.requireUsable(found);
  if (share.kind !== "upload") throw nothingThere();
  return gate.requireOpen(share, context.request.headers);
}

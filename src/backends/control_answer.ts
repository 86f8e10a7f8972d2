import { foreignAnswerProblem, isWebPage, parseRefusal, refusalProblem } from "./upstream_error.ts";

/** An answer to a control call, read whole. */
export interface ControlAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Largest answer to a control call that is read, in bytes; a page of 1,000 keys of full length is a tenth of it. */
const maxControlBytes = 32 << 20;

/**
 * Reads the answer to a control call. Throws 502 `backend_error` for one that is too large, or that some other program gave:
 * a web page, or a success whose XML has another root element than `root`, where one is told. A copy that fails after its
 * answer has begun is refused in the body of a success:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html#API_CopyObject_ResponseSyntax
 */
export async function readControlAnswer(response: Response, root?: string): Promise<ControlAnswer> {
  const bytes = await readAll(response);
  const start = new TextDecoder().decode(bytes.subarray(0, 1000));
  if (response.ok && rootElement(start) === "Error") {
    const { code } = parseRefusal(new TextDecoder().decode(bytes));
    throw refusalProblem({ status: response.status, code });
  }
  const isForeign = response.ok && root !== undefined
    ? rootElement(start) !== root
    : isWebPage(response.headers.get("content-type"), start);
  if (isForeign) throw foreignAnswerProblem(response.status);
  return { status: response.status, headers: response.headers, bytes };
}

/** The name of the outermost element of an XML document, by its first characters. */
function rootElement(start: string): string | undefined {
  return /^\ufeff?(?:\s|<\?.*?\?>|<!--.*?-->)*<([\w.-]+)/s.exec(start)?.[1];
}

async function readAll(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxControlBytes) throw foreignAnswerProblem(response.status);
    // A chunk is valid until the next one is asked for. It may be a Buffer, whose `slice` does not copy.
    chunks.push(new Uint8Array(chunk));
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

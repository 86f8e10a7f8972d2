import { formBoundary, type FormPart, readField, readForm } from "../../objects/form_data.ts";
import { Problem } from "../../problem.ts";
import { S3Error } from "../s3_error.ts";

/** Bounds of what comes before the file, which is read before anybody has shown who they are; sizes are bytes. */
const maxFields = 64;
const maxFieldBytes = 64 * 1024;
const maxAllFieldsBytes = 1 << 20;

/** The form of a POST upload: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTForms.html */
export interface PostForm {
  /** By their names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** Name of the file on the client's disk, without its folder. */
  readonly filename: string;
  /** Content of the file. It ends only when the end of the form was seen; what stands between has no meaning, as S3 has it. */
  readonly file: AsyncIterable<Uint8Array>;
}

/**
 * Reads a form up to its file.
 *
 * @param contentType with the boundary
 * @throws S3Error `MalformedPOSTRequest`, also while the file is read
 */
export async function readPostForm(
  contentType: string | null,
  body: AsyncIterable<Uint8Array>,
): Promise<PostForm> {
  const boundary = await asPostError(() => formBoundary(contentType));
  if (boundary === null) throw malformedPost("The body has to be multipart/form-data.");
  const parts = readForm(body, boundary);
  const fields = new Map<string, string>();
  let bytes = 0;
  while (true) {
    const { done, value: part } = await asPostError(() => parts.next());
    if (done) throw malformedPost("The form has no file.");
    const name = part.name.toLowerCase();
    if (name === "file") {
      return { fields, filename: baseName(part.filename ?? ""), file: readFile(part, parts) };
    }
    if (fields.has(name)) throw malformedPost("A field of the form stands twice.");
    const value = await asPostError(() => readField(part, maxFieldBytes));
    bytes += name.length + value.length;
    if (fields.size === maxFields || bytes > maxAllFieldsBytes) {
      throw malformedPost(
        `The form has more than ${maxFields} fields, or more than ${maxAllFieldsBytes} bytes of them.`,
      );
    }
    fields.set(name, value);
  }
}

/** The error for a form that is not what S3 takes. */
export function malformedPost(message: string): S3Error {
  return new S3Error("MalformedPOSTRequest", message);
}

async function* readFile(file: FormPart, parts: AsyncGenerator<FormPart>): AsyncGenerator<Uint8Array> {
  const content = file.content[Symbol.asyncIterator]();
  while (true) {
    const { done, value } = await asPostError(() => content.next());
    if (done) break;
    yield value;
  }
  while (!(await asPostError(() => parts.next())).done);
}

/** Old browsers tell the whole path. */
function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

async function asPostError<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof Problem ? malformedPost(error.message) : error;
  }
}

import { Buffer } from "node:buffer";
import { signingKey } from "../../../src/sigv4/canonical.ts";
import type { EndpointKeys } from "../../support/endpoint.ts";

/** What a form is made of; everything has a default that is right. */
export interface FormPlan {
  readonly bucket?: string;
  /** Fields of the form besides those of the signature; `key` is `posted.txt` unless told. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Conditions besides those that cover `fields`, `bucket` and the signature. */
  readonly conditions?: readonly unknown[];
  /** The policy in place of the one made of the above. */
  readonly policy?: unknown;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Milliseconds since the epoch of `x-amz-date`. */
  readonly signedAt?: number;
  readonly file?: Uint8Array | string;
  readonly filename?: string;
}

/** The fields of a form whose policy allows just what it holds, signed by `keys`. */
export function signedFields(keys: EndpointKeys, plan: FormPlan = {}): Record<string, string> {
  const { bucket = "bucket", conditions = [], signedAt = Date.now(), expiresAt = Date.now() + 60_000 } = plan;
  const date = new Date(signedAt).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const scope = { date: date.slice(0, 8), region: "us-east-1", service: "s3" };
  const credential = `${keys.accessKey}/${scope.date}/us-east-1/s3/aws4_request`;
  const fields = {
    key: "posted.txt",
    ...plan.fields,
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": credential,
    "x-amz-date": date,
  };
  const covering = Object.entries({ ...fields, bucket }).map(([name, value]) =>
    name === "key" ? ["starts-with", "$key", ""] : { [name]: value }
  );
  const policy = plan.policy ?? {
    expiration: new Date(expiresAt).toISOString(),
    conditions: [...covering, ...conditions],
  };
  const text = typeof policy === "string" ? policy : JSON.stringify(policy);
  const encoded = Buffer.from(text).toString("base64");
  const signature = signingKey(keys.secretKey, scope).hex(encoded);
  return { ...fields, policy: encoded, "x-amz-signature": signature };
}

/** The form with its file. */
export function formOf(fields: Readonly<Record<string, string>>, plan: FormPlan = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const { file = "hello", filename = "name.txt" } = plan;
  form.append("file", new File([file as BlobPart], filename));
  return form;
}

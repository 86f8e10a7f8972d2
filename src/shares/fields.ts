import { z } from "zod";
import { versionIdField } from "../objects/object_query.ts";
import { badRequest } from "../problem.ts";
import type { ShareRequest, ShareUpdate } from "./service.ts";
import { type ShareKind, shareKinds, type UploadTerms } from "./share.ts";

const timeError = { error: 'must be an RFC 3339 time, such as "2030-01-31T12:00:00Z", or null for never' };
const time = z.iso.datetime({ offset: true, ...timeError }).nullable()
  .transform((text) => text === null ? null : Date.parse(text));

/** Longest password, in characters: hashing takes time by its length. */
const maxPasswordLength = 256;

/** Most keys of a selection. */
const maxKeys = 1000;

/** What a file may have at most: the largest object of S3. */
const maxObjectBytes = 5 * 2 ** 40;

const content = {
  max_downloads: z.int("must be a whole number, or null for any number of downloads")
    .min(1, "must be at least 1, or null for any number of downloads").max(1_000_000_000).nullable(),
  disposition: z.enum(["inline", "attachment"], { error: "must be inline or attachment" }),
};
const upload = {
  title: z.string().trim().max(120).meta({ description: "Heading of the page on which files are sent" }),
  message: z.string().trim().max(2000).meta({ description: "Plain text for those who send files" }),
  max_uploads: z.int().min(1).max(10_000).meta({ description: "How many files may be sent" }),
  max_bytes: z.int().min(1).max(2 ** 50).meta({ description: "How many bytes they may have together" }),
  max_file_bytes: z.int().min(1).max(maxObjectBytes).nullable()
    .meta({ description: "How many bytes each may have; null for as many as all" }),
  keep_folders: z.boolean().meta({
    description: "Whether files keep the folders that they are sent with; true unless told",
  }),
};
const settings = {
  expires_at: time,
  password: z.string().min(1, "must not be empty: null is for no password").max(
    maxPasswordLength,
    `must not be longer than ${maxPasswordLength} characters`,
  ).nullable(),
  note: z.string().trim().max(500),
  ...content,
  ...upload,
};

// A field that is spelt wrong must not be passed over: without its password a share would be open to anyone.

/** The fields of a change; those that are left out stay as they are. */
export const shareChangeSchema = z.strictObject(settings).partial();

/** The fields of a new share. */
export const shareCreationSchema = z.strictObject({
  ...settings,
  backend_id: z.string().max(63),
  bucket: z.string(),
  kind: z.enum(shareKinds).meta({
    description:
      "`upload` for a link by which files are sent into the folder `key`; otherwise what the keys say",
  }),
  key: z.string().meta({
    description:
      "An object's key, or a folder's prefix, which ends in a slash; for uploads it may be empty, the bucket",
  }),
  keys: z.array(z.string()).min(1).max(maxKeys).meta({
    description: "In place of `key`: a selection of objects and folders, whose prefixes end in a slash",
  }),
  version_id: versionIdField.nullable(),
}).partial().required({ backend_id: true, bucket: true });

type Settings = z.output<typeof shareChangeSchema>;
type Creation = z.output<typeof shareCreationSchema>;

/** What an upload link allows unless told: enough for a batch of documents, and no more than most buckets can take. */
const defaultTerms: UploadTerms = {
  title: "",
  message: "",
  maxUploads: 100,
  maxBytes: 10 * 2 ** 30,
  maxFileBytes: null,
  keepFolders: true,
};

/** What a new share is asked to be. Throws 400 `bad_request` for fields that do not go together. */
export function shareRequestOf(body: Creation): ShareRequest {
  const kind = kindOf(body);
  requireFieldsOf(kind, body);
  return {
    kind,
    backendId: body.backend_id,
    bucket: body.bucket,
    key: body.key ?? "",
    keys: body.keys ?? [],
    versionId: body.version_id ?? undefined,
    disposition: body.disposition ?? "attachment",
    note: body.note ?? "",
    password: body.password ?? null,
    maxDownloads: body.max_downloads ?? null,
    expiresAt: body.expires_at,
    upload: kind === "upload" ? { ...defaultTerms, ...present(termsOf(body)) } : null,
  };
}

/** What a share of a kind is asked to become. Throws 400 `bad_request` for fields that such a share does not have. */
export function shareUpdateOf(kind: ShareKind, body: Settings): ShareUpdate {
  requireFieldsOf(kind, body);
  const { password, note, disposition } = body;
  const common = {
    password,
    note,
    disposition,
    maxDownloads: body.max_downloads,
    expiresAt: body.expires_at,
  };
  return { ...common, ...termsOf(body) };
}

function termsOf(body: Settings): Partial<UploadTerms> {
  const { title, message } = body;
  return {
    title,
    message,
    maxUploads: body.max_uploads,
    maxBytes: body.max_bytes,
    maxFileBytes: body.max_file_bytes,
    keepFolders: body.keep_folders,
  };
}

function present<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function kindOf({ kind, key, keys }: Creation): ShareKind {
  if (kind === "upload") {
    if (keys !== undefined) throw badRequest("keys: files are sent into one folder, key", { field: "keys" });
    return kind;
  }
  const found = kindOfKeys(key, keys);
  if (kind !== undefined && kind !== found) {
    throw badRequest(`kind: what is to be shared is of the kind ${found}`, { field: "kind" });
  }
  return found;
}

function kindOfKeys(key: string | undefined, keys: readonly string[] | undefined): ShareKind {
  if (keys !== undefined) {
    if (key !== undefined) throw badRequest("key: does not go together with keys", { field: "key" });
    return "selection";
  }
  if (key === undefined) throw badRequest("key: is missing", { field: "key" });
  return key.endsWith("/") ? "folder" : "object";
}

/** Throws for a field that says something about shares of another kind. */
function requireFieldsOf(kind: ShareKind, body: Settings & { readonly version_id?: string | null }): void {
  const foreign = kind === "upload" ? [...Object.keys(content), "version_id"] : Object.keys(upload);
  const wrong = Object.entries(body).find(([name, value]) =>
    foreign.includes(name) && value !== undefined && value !== null
  );
  if (wrong === undefined) return;
  const [field] = wrong;
  const reason = kind === "upload" ? "a link for uploads has none" : "only a link for uploads has it";
  throw badRequest(`${field}: ${reason}`, { field });
}

import { type Content, makeContents } from "./content.ts";
import type { ExchangeOptions, Side } from "./signed_exchange.ts";
import { MultipartUploads, PooledExchanges, type Workload } from "./workload.ts";

/** Buckets that must exist: `read` and `open` hold {@link seedObjects}, `open` may be read by everybody, `foreign` is out of scope. */
export const buckets = {
  read: "bench-read",
  open: "bench-open",
  write: "bench-write",
  foreign: "bench-foreign",
};

/** What a case has to reach. */
export interface Targets {
  /** Requests a second, as a share of what the upstream does when it is driven directly. */
  readonly ratio?: number;
  /** Processor time of the program for a request, in microseconds. */
  readonly processorMicroseconds?: number;
}

/** One line of the benchmark. */
export interface BenchCase {
  readonly name: string;
  readonly title: string;
  readonly targets: Targets;
  /** Not measured on the upstream, which knows no such thing. */
  readonly endpointOnly?: true;
  /** A step is too long to be repeated before the measurement. */
  readonly coldStart?: true;
  /** `now` is in milliseconds since the epoch. */
  prepare(side: Side, now: number): Workload;
}

const kibibyte = 1 << 10;
const mebibyte = 1 << 20;
const smallObjects = 64;
const largeObjects = 8;

/** How many different requests a case that reads sends in turn. */
const readPoolSize = 2048;

const smallContents = makeContents(smallObjects, kibibyte, 0);
const largeContents = makeContents(largeObjects, mebibyte, smallObjects);

/** Objects of `read` and `open`. */
export const seedObjects: readonly { readonly key: string; readonly content: Content }[] = [
  ...smallContents.map((content, index) => ({ key: `small/${index}`, content })),
  ...largeContents.map((content, index) => ({ key: `large/${index}`, content })),
];

/** The cases in the order they are run. */
export const benchCases: readonly BenchCase[] = [
  {
    name: "list-buckets",
    title: "ListBuckets",
    targets: { ratio: 1.3 },
    prepare: signedReads(() => ({ method: "GET", path: "/", status: 200 })),
  },
  {
    name: "head-bucket",
    title: "HeadBucket",
    targets: { ratio: 0.6 },
    prepare: signedReads(() => ({ method: "HEAD", path: `/${buckets.read}`, status: 200 })),
  },
  {
    name: "list-objects",
    title: `ListObjectsV2, ${smallObjects + largeObjects} keys`,
    targets: { ratio: 0.8 },
    prepare: signedReads(() => ({
      method: "GET",
      path: `/${buckets.read}`,
      query: "list-type=2",
      status: 200,
    })),
  },
  {
    name: "head-object",
    title: "HeadObject",
    targets: { ratio: 0.75 },
    prepare: signedReads((index) => ({ ...getSmall(buckets.read, index), method: "HEAD" })),
  },
  {
    name: "get-1kib",
    title: "GET 1 KiB",
    targets: { ratio: 0.75, processorMicroseconds: 100 },
    prepare: signedReads((index) => getSmall(buckets.read, index)),
  },
  {
    name: "get-1mib",
    title: "GET 1 MiB",
    targets: { ratio: 0.75, processorMicroseconds: 450 },
    prepare: signedReads(getLarge),
  },
  {
    name: "presigned-get",
    title: "presigned GET 1 KiB",
    targets: { ratio: 0.75 },
    prepare: (side, now) =>
      new PooledExchanges(
        side,
        now,
        readPoolSize,
        (factory, index, time) => factory.presigned(getSmall(buckets.read, index), time),
      ),
  },
  {
    name: "anonymous-get",
    title: "anonymous GET 1 KiB",
    targets: { ratio: 0.75 },
    prepare: (side, now) =>
      new PooledExchanges(
        side,
        now,
        smallObjects,
        (factory, index) => factory.anonymous(getSmall(buckets.open, index)),
      ),
  },
  {
    name: "bad-signature",
    title: "bad signature",
    targets: { ratio: 1.2 },
    prepare: (side, now) =>
      new PooledExchanges(
        side,
        now,
        readPoolSize,
        (factory, index, time) =>
          factory.forged({ ...getSmall(buckets.read, index), method: "HEAD", status: 403 }, time),
      ),
  },
  {
    name: "scope-violation",
    title: "scope violation",
    targets: {},
    endpointOnly: true,
    prepare: signedReads(() => ({ method: "HEAD", path: `/${buckets.foreign}`, status: 403 })),
  },
  { name: "put-1kib", title: "PUT 1 KiB", targets: { ratio: 0.85 }, prepare: puts(4096, smallContents) },
  { name: "put-1mib", title: "PUT 1 MiB", targets: { ratio: 0.97 }, prepare: puts(256, largeContents) },
  {
    name: "delete-object",
    title: "Delete",
    targets: { ratio: 0.68 },
    prepare: signedReads((index) => ({
      method: "DELETE",
      path: `/${buckets.write}/absent/${index}`,
      status: 204,
    })),
  },
  {
    name: "multipart-64mib",
    title: "multipart 64 MiB (8 parts)",
    targets: {},
    coldStart: true,
    prepare: (side) => new MultipartUploads(side, `/${buckets.write}/${side.name}/multipart`),
  },
];

function getSmall(bucket: string, index: number): ExchangeOptions {
  const number = index % smallObjects;
  return {
    method: "GET",
    path: `/${bucket}/small/${number}`,
    status: 200,
    content: smallContents[number].bytes,
  };
}

function getLarge(index: number): ExchangeOptions {
  const number = index % largeObjects;
  return {
    method: "GET",
    path: `/${buckets.read}/large/${number}`,
    status: 200,
    content: largeContents[number].bytes,
  };
}

function signedReads(describe: (index: number) => ExchangeOptions): BenchCase["prepare"] {
  return (side, now) =>
    new PooledExchanges(
      side,
      now,
      readPoolSize,
      (factory, index, time) => factory.signed(describe(index), time),
    );
}

/** PUTs of `keyCount` keys in turn, with the hash of the body in the signature. */
function puts(keyCount: number, contents: readonly Content[]): BenchCase["prepare"] {
  return (side, now) =>
    new PooledExchanges(side, now, keyCount, (factory, index, time) => {
      const { bytes, hash } = contents[index % contents.length];
      const path = `/${buckets.write}/${side.name}/${bytes.length}/${index}`;
      const exchange = factory.signed(
        { method: "PUT", path, body: bytes, bodyHash: hash, status: 200 },
        time,
      );
      return { ...exchange, writes: { path, content: bytes } };
    });
}

import assert from "node:assert/strict";
import type { AnonymousBinding } from "../../src/proxy/credentials/source.ts";
import { RequestLimits, type RequestRates } from "../../src/proxy/limits.ts";
import { assertS3Error } from "./credential.ts";

function limitsOf(rates: Partial<RequestRates>) {
  let now = 0;
  const limits = new RequestLimits({ global: 0, perKey: 0, anonymous: 0, ...rates }, () => now);
  return { limits, advance: (milliseconds: number) => now += milliseconds };
}

const binding = (perSourceIpRps: number, bucket = "photos"): AnonymousBinding => ({
  backend: "near",
  bucket,
  perSourceIpRps,
  source: "sqlite",
});

function times(count: number, action: () => void): void {
  for (let done = 0; done < count; done++) action();
}

Deno.test("a key has one second of burst and then its rate", () => {
  const { limits, advance } = limitsOf({ perKey: 5 });
  times(5, () => limits.takeSigned("a"));
  const error = assertS3Error(() => limits.takeSigned("a"), "SlowDown");
  assert.deepEqual([error.status, error.result, error.headers], [503, "rate_limited", {
    "retry-after": "1",
  }]);
  limits.takeSigned("b");
  advance(200);
  limits.takeSigned("a");
  assertS3Error(() => limits.takeSigned("a"), "SlowDown");
});

Deno.test("a rate below one lets one request through and says how long to wait", () => {
  const { limits, advance } = limitsOf({ perKey: 0.25 });
  limits.takeSigned("a");
  assert.equal(assertS3Error(() => limits.takeSigned("a"), "SlowDown").headers["retry-after"], "4");
  advance(4000);
  limits.takeSigned("a");
});

Deno.test("a request over its key's limit takes nothing of the global one", () => {
  const { limits } = limitsOf({ global: 4, perKey: 2 });
  times(2, () => limits.takeSigned("a"));
  times(10, () => assertS3Error(() => limits.takeSigned("a"), "SlowDown"));
  times(2, () => limits.takeSigned("b"));
  assertS3Error(() => limits.takeSigned("c"), "SlowDown");
  assertS3Error(() => limits.requireGlobal(), "SlowDown");
});

Deno.test("looking at the global limit takes nothing", () => {
  const { limits, advance } = limitsOf({ global: 1 });
  times(10, () => limits.requireGlobal());
  limits.takeSigned("a");
  assertS3Error(() => limits.requireGlobal(), "SlowDown");
  advance(1000);
  limits.requireGlobal();
});

Deno.test("0 is no limit", () => {
  const { limits } = limitsOf({});
  times(1000, () => {
    limits.requireGlobal();
    limits.takeSigned("a");
    limits.takeAnonymous("1.2.3.4", binding(0));
  });
});

Deno.test("anonymous requests count by address and bucket, at the binding's rate or the general one", () => {
  const { limits } = limitsOf({ anonymous: 2 });
  times(2, () => limits.takeAnonymous("1.2.3.4", binding(0)));
  assertS3Error(() => limits.takeAnonymous("1.2.3.4", binding(0)), "SlowDown");
  limits.takeAnonymous("1.2.3.5", binding(0));
  times(3, () => limits.takeAnonymous("1.2.3.4", binding(3, "films")));
  assertS3Error(() => limits.takeAnonymous("1.2.3.4", binding(3, "films")), "SlowDown");
});

Deno.test("one IPv6 network counts as one client", () => {
  const { limits } = limitsOf({ anonymous: 1 });
  limits.takeAnonymous("2001:db8:0:1::1", binding(0));
  assertS3Error(() => limits.takeAnonymous("2001:db8::1:ffff:0:0:2", binding(0)), "SlowDown");
  limits.takeAnonymous("2001:db8:0:2::1", binding(0));
});

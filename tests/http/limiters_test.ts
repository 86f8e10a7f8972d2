import assert from "node:assert/strict";
import { addressKey, RateLimiter } from "../../src/http/rate_limiter.ts";
import { WindowLimiter } from "../../src/http/window_limiter.ts";

Deno.test("a bucket gives its burst, then a token at a time", () => {
  let now = 0;
  const limiter = new RateLimiter({ burst: 3, window: 60_000 }, () => now);
  assert.deepEqual([1, 2, 3].map(() => limiter.take("a")), [0, 0, 0]);
  assert.equal(limiter.take("a"), 20_000);
  assert.equal(limiter.take("b"), 0);
  now += 20_000;
  assert.equal(limiter.take("a"), 0);
  assert.notEqual(limiter.take("a"), 0);
});

Deno.test("a window never holds more than its maximum, wherever it begins", () => {
  let now = 0;
  const limiter = new WindowLimiter({ max: 2, window: 100 }, () => now);
  assert.equal(limiter.take("a"), 0);
  now = 90;
  assert.equal(limiter.take("a"), 0);
  assert.equal(limiter.take("a"), 10);
  now = 101;
  assert.equal(limiter.take("a"), 0);
  assert.equal(limiter.take("a"), 89);
});

Deno.test("an event that was given back does not count", () => {
  const limiter = new WindowLimiter({ max: 2, window: 100 }, () => 0);
  limiter.giveBack("a");
  for (let index = 0; index < 5; index++) {
    assert.equal(limiter.take("a"), 0);
    limiter.giveBack("a");
  }
  assert.equal(limiter.take("a"), 0);
  assert.equal(limiter.take("a"), 0);
  assert.equal(limiter.take("a"), 100);
});

Deno.test("a flood of keys does not grow the limiters", () => {
  const window = new WindowLimiter({ max: 1, window: 1000 }, () => 0);
  const bucket = new RateLimiter({ burst: 1, window: 1000 }, () => 0);
  for (let index = 0; index < 20_000; index++) {
    assert.equal(window.take(`k${index}`), 0);
    assert.equal(bucket.take(`k${index}`), 0);
  }
  assert.equal(window.take("k0"), 0, "the oldest was forgotten");
  assert.equal(bucket.take("k0"), 0, "the oldest was forgotten");
  assert.notEqual(window.take("k19999"), 0);
  assert.notEqual(bucket.take("k19999"), 0);
});

Deno.test("addresses of one IPv6 /64 count as one client", () => {
  assert.equal(addressKey("203.0.113.7"), "203.0.113.7");
  assert.equal(addressKey("2001:db8:0:1::5"), addressKey("2001:0db8:0000:0001:aaaa:bbbb:cccc:dddd"));
  assert.notEqual(addressKey("2001:db8:0:1::5"), addressKey("2001:db8:0:2::5"));
  assert.equal(addressKey("::1"), "0:0:0:0::/64");
});

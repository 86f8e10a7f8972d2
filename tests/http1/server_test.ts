import assert from "node:assert/strict";
import type { ServerExchange } from "../../src/http1/exchange.ts";
import { until } from "../support/poll.ts";
import { exchangeRaw, RawConnection } from "../support/raw_connection.ts";
import { withServer } from "./support/test_server.ts";

const get = (target: string, lines = "") => `GET ${target} HTTP/1.1\r\nhost: h\r\n${lines}\r\n`;
const post = (target: string, body: string, lines = "") =>
  `POST ${target} HTTP/1.1\r\nhost: h\r\ncontent-length: ${body.length}\r\n${lines}\r\n${body}`;

/** Reads nothing of the body. */
const ignore = (exchange: ServerExchange) => exchange.answer(403, "", new TextEncoder().encode("no"));

/** Never answers, until the client goes away or the server ends. */
const hang = (exchange: ServerExchange) => new Promise<void>((resolve) => exchange.onGone = resolve);

Deno.test("requests on one connection are answered in their order", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    const requests = [get("/1"), post("/2", "two"), get("/3"), post("/4", "four")];
    await connection.send(requests.join(""));
    for (const expected of ["GET /1 ", "POST /2 two", "GET /3 ", "POST /4 four"]) {
      assert.equal((await connection.answer()).body, expected);
    }
    await connection.send(get("/5"));
    assert.equal((await connection.answer()).body, "GET /5 ");
  }));

Deno.test("many small requests that come at once are all answered", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    const targets = Array.from({ length: 500 }, (_, index) => `/${index}`);
    const sending = connection.send(targets.map((target) => get(target)).join(""));
    for (const target of targets) assert.equal((await connection.answer()).body, `GET ${target} `);
    await sending;
  }));

Deno.test("a body that nobody has read is never taken for the next request", () =>
  withServer(async ({ url, requests }) => {
    const smuggled = get("/smuggled");
    const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
    const bodies = [
      post("/a", smuggled),
      post("/a", smuggled, "expect: 100-continue\r\n"),
      `POST /a HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
      `GET /a HTTP/1.1\r\nhost: h\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`,
      `HEAD /a HTTP/1.1\r\nhost: h\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`,
      `DELETE /a HTTP/1.0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`,
    ];
    for (const body of bodies) {
      using connection = await RawConnection.open(url);
      await connection.send(body + smuggled);
      await connection.closeWrite();
      const text = await connection.rest();
      assert.match(text, /^HTTP\/1\.1 403 [^]*\r\nconnection: close\r\n/);
      assert.equal(text.match(/HTTP\/1\.1 \d/g)?.length, 1, text);
    }
    assert.ok(requests.every((request) => request.endsWith(" /a")), requests.join());
  }, { handle: ignore }));

Deno.test("a body that was read in part only ends the connection", () =>
  withServer(async ({ url, requests }) => {
    const text = await exchangeRaw(url, post("/a", "x".repeat(300_000), "connection: close\r\n") + get("/b"));
    assert.match(text, /^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/);
    assert.deepEqual(requests, ["POST /a"]);
  }, {
    handle: async (exchange) => {
      await exchange.body.read();
      await exchange.answer(200, "", null);
    },
  }));

Deno.test("leave to send a body is given when somebody wants it, and not before", () => {
  const admitted = Promise.withResolvers<void>();
  return withServer(async ({ url, requests }) => {
    using connection = await RawConnection.open(url);
    const expecting = "POST /a HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n";
    await connection.send(expecting);
    await until(() => requests.length === 1, { what: "the request" });
    let hasLeave = false;
    const leave = connection.answer().then(({ status }) => {
      hasLeave = true;
      return status;
    });
    await exchangeRaw(url, "GET /other HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n");
    assert.ok(!hasLeave);
    admitted.resolve();
    assert.equal(await leave, 100);
    await connection.send("hello");
    assert.equal((await connection.answer()).body, "hello");
    await connection.send(`${expecting}hello`);
    assert.equal((await connection.answer()).status, 200);
  }, {
    handle: async (exchange) => {
      if (exchange.request.method === "POST") await admitted.promise;
      let text = "";
      for await (const piece of exchange.body) text += new TextDecoder().decode(piece);
      await exchange.answer(200, "", new TextEncoder().encode(text));
    },
  });
});

Deno.test("who is refused gets no leave to send", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    await connection.send(
      "POST /a HTTP/1.1\r\nhost: h\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n",
    );
    assert.equal((await connection.answer()).status, 403);
  }, { handle: ignore }));

Deno.test("HTTP/1.0 is answered once, without chunks", () =>
  withServer(async ({ url }) => {
    const text = await exchangeRaw(url, "GET /old HTTP/1.0\r\nconnection: keep-alive\r\n\r\n");
    assert.match(text, /^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n\r\nhello$/);
    assert.ok(!/transfer-encoding/i.test(text));
  }, {
    handle: async (exchange) => {
      await exchange.begin(200, "", undefined, new TextEncoder().encode("hel"));
      await exchange.write(new TextEncoder().encode("lo"));
      await exchange.end();
    },
  }));

Deno.test("who only sends its end is still answered or cut off", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    await connection.send(get("/a"));
    await connection.closeWrite();
    assert.match(await connection.rest(), /^(?:HTTP\/1\.1 200 [^]*GET \/a )?$/);
  }));

Deno.test("a client that goes away is noticed while its answer is being made", () => {
  let isGone = false;
  return withServer(async ({ url, requests }) => {
    const connection = await RawConnection.open(url);
    await connection.send(get("/a"));
    await until(() => requests.length === 1, { what: "the request" });
    connection[Symbol.dispose]();
    await until(() => isGone, { what: "the server to notice" });
  }, {
    handle: async (exchange) => {
      await hang(exchange);
      isGone = true;
    },
  });
});

Deno.test("headers keep every byte, whatever their length", async () => {
  for (const length of [10, 4_000, 8_050, 8_090, 8_192, 12_000, 30_000]) {
    for (const byte of ["\xe9", "\x80", "\xff"]) {
      const value = byte.repeat(20) + "a".repeat(length) + byte;
      await withServer(async ({ url }) => {
        using connection = await RawConnection.open(url);
        await connection.send(get("/a", `connection: close\r\nx-value: ${value}\r\n`));
        const { head, body } = await connection.answer();
        assert.ok(head.includes(`\r\nx-value: ${value}\r\n`), `${length} of ${byte}`);
        assert.equal(body, "hello");
      }, {
        handle: (exchange) => {
          const lines = `x-value: ${exchange.request.headers.get("x-value")}\r\n`;
          return exchange.answer(200, lines, new TextEncoder().encode("hello"));
        },
      });
    }
  }
});

Deno.test("a server that is drained finishes what it has begun and takes no more", async () => {
  const release = Promise.withResolvers<void>();
  await withServer(async ({ url, drain, requests }) => {
    using waiting = await RawConnection.open(url);
    await waiting.send(get("/first"));
    using unused = await RawConnection.open(url);
    await until(() => requests.length === 1, { what: "the request" });
    const drained = drain(5_000);
    assert.equal(await unused.rest(), "");
    await assert.rejects(
      RawConnection.open(url).then(async (connection) => {
        using refused = connection;
        await refused.send(get("/late"));
        return await refused.answer();
      }),
    );
    release.resolve();
    assert.equal((await waiting.answer()).status, 200);
    assert.equal(await drained, 0);
    assert.deepEqual(requests, ["GET /first"]);
  }, {
    handle: async (exchange) => {
      await release.promise;
      await exchange.answer(200, "", null);
    },
  });
});

Deno.test("a drain ends what does not come to an end, and says how much that was", () =>
  withServer(async ({ url, drain, requests }) => {
    using connection = await RawConnection.open(url);
    await connection.send(get("/a"));
    await until(() => requests.length === 1, { what: "the request" });
    assert.equal(await drain(50), 1);
    assert.equal(await connection.rest(), "");
  }, { handle: hang }));

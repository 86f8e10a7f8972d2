import assert from "node:assert/strict";
import { until } from "../support/poll.ts";
import { RawConnection } from "../support/raw_connection.ts";
import { withServer } from "./support/test_server.ts";

const get = "GET /a HTTP/1.1\r\nhost: h\r\n\r\n";

/** Sends `piece` again and again; resolves when the connection was ended, with what was answered. */
async function dribble(connection: RawConnection, piece: string, pauseMs: number): Promise<string> {
  let isOpen = true;
  const rest = connection.rest().finally(() => isOpen = false);
  while (isOpen) {
    await connection.send(piece).catch(() => {});
    await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, pauseMs))]);
  }
  return await rest;
}

Deno.test("a head that is dribbled is cut off", () =>
  withServer(async ({ url, requests }) => {
    using connection = await RawConnection.open(url);
    await connection.send("GET / HTTP/1.1\r\nx-a: ");
    assert.equal(await dribble(connection, "a", 20), "");
    assert.deepEqual(requests, []);
  }, { limits: { headTimeoutMs: 300 } }));

Deno.test("a connection on which nothing comes is closed", () =>
  withServer(async ({ url, errors }) => {
    using connection = await RawConnection.open(url);
    assert.equal(await connection.rest(), "");
    assert.deepEqual(errors, []);
  }, { limits: { headTimeoutMs: 100 } }));

Deno.test("a connection that stays unused is closed", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    await connection.send(get);
    assert.equal((await connection.answer()).status, 200);
    assert.equal(await connection.rest(), "");
  }, { limits: { keepAliveMs: 100, headTimeoutMs: 60_000 } }));

Deno.test("a second head has no more time than the first", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    await connection.send(get);
    assert.equal((await connection.answer()).status, 200);
    await connection.send("GET");
    assert.equal(await connection.rest(), "");
  }, { limits: { keepAliveMs: 60_000, headTimeoutMs: 1_000 } }));

const bodyLimits = { minBodyRate: 10_000, slowBodyMs: 300, idleTimeoutMs: 60_000 };

Deno.test("a body that is dribbled is cut off", async () => {
  const pieces: Record<string, [head: string, piece: string]> = {
    "with a length": ["content-length: 1000000", "a"],
    "in chunks": ["transfer-encoding: chunked", "1\r\na\r\n"],
  };
  for (const [name, [head, piece]] of Object.entries(pieces)) {
    await withServer(async ({ url }) => {
      using connection = await RawConnection.open(url);
      await connection.send(`POST /a HTTP/1.1\r\nhost: h\r\n${head}\r\n\r\n`);
      assert.equal(await dribble(connection, piece, 20), "", name);
    }, { limits: bodyLimits });
  }
});

Deno.test("a body that stops is cut off", async () => {
  const beginnings = [
    "content-length: 10\r\n\r\n12345",
    "content-length: 10\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\n5\r\n123",
    "transfer-encoding: chunked\r\n\r\n5;exten",
    "transfer-encoding: chunked\r\n\r\n0\r\nx-trailer: ",
    "content-length: 10\r\nexpect: 100-continue\r\n\r\n",
  ];
  await withServer(async ({ url }) => {
    await Promise.all(beginnings.map(async (beginning) => {
      using connection = await RawConnection.open(url);
      await connection.send(`POST /a HTTP/1.1\r\nhost: h\r\n${beginning}`);
      assert.match(await connection.rest(), /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?$/, beginning);
    }));
  }, { limits: { idleTimeoutMs: 200 } });
});

Deno.test("a size of a chunk that is dribbled has the time of one piece", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    await connection.send("POST /a HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n1;");
    assert.equal(await dribble(connection, "a", 20), "");
  }, { limits: { idleTimeoutMs: 400 } }));

Deno.test("a client that never takes its answer is cut off", async () => {
  let isCutOff = false;
  await withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    await connection.send(get);
    await until(() => isCutOff, { what: "the answer to be given up" });
  }, {
    limits: { idleTimeoutMs: 200 },
    handle: async (exchange) => {
      const piece = new Uint8Array(1 << 20);
      await exchange.begin(200, "", 1 << 30);
      try {
        for (let sent = 0; sent < 1 << 30; sent += piece.length) await exchange.write(piece);
      } catch (error) {
        isCutOff = true;
        throw error;
      }
    },
  });
});

Deno.test("a refused upload that comes no further does not hold its connection", () =>
  withServer(async ({ url }) => {
    using connection = await RawConnection.open(url);
    await connection.send("POST /a HTTP/1.1\r\nhost: h\r\ncontent-length: 1000000\r\n\r\n12345");
    assert.equal((await connection.answer()).status, 403);
    // This ends the read that is under way, and with it what the reader has allowed for.
    await connection.send("6").catch(() => {});
    await until(() => connection.send("7").then(() => false, () => true), {
      what: "the connection to be closed",
    });
  }, {
    limits: { lingerMs: 300, minBodyRate: 0 },
    handle: async (exchange) => {
      await exchange.body.read();
      exchange.body.read().catch(() => {});
      await exchange.answer(403, "", new TextEncoder().encode("no"));
    },
  }));

Deno.test("more connections than allowed are closed at once, and room is made again", () =>
  withServer(async ({ url }) => {
    const open = await Promise.all([1, 2].map(() => RawConnection.open(url)));
    for (const connection of open) {
      await connection.send(get);
      assert.equal((await connection.answer()).status, 200);
    }
    using refused = await RawConnection.open(url);
    await refused.send(get).catch(() => {});
    assert.equal(await refused.rest(), "");
    open[0][Symbol.dispose]();
    await until(async () => {
      using connection = await RawConnection.open(url);
      await connection.send(get);
      return (await connection.answer()).status === 200;
    }, { what: "room for another connection" });
    open[1][Symbol.dispose]();
  }, { limits: { maxConnections: 2 } }));

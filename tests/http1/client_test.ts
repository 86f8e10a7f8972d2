import assert from "node:assert/strict";
import { Http1Client } from "../../src/http1/client.ts";
import { Watchdog } from "../../src/http1/watchdog.ts";
import { makeCertificates } from "../support/certificates.ts";
import { exchangeRaw } from "../support/raw_connection.ts";
import { answering, readHead } from "./support/scripted_server.ts";
import { clientTest, failsWith, plainRequest, withClient } from "./support/test_client.ts";

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
const hello = { status: 200, text: "hello" };

/** A body that comes when it is asked for. */
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

const upload = (body: AsyncIterable<Uint8Array>, length = 1_000_000) => ({
  method: "PUT",
  headerLines: `host: h\r\ncontent-length: ${length}\r\n`,
  body,
  repeatable: false,
});

clientTest("a connection is used again", answering(ok), async ({ send, count }) => {
  for (let round = 0; round < 3; round++) assert.deepEqual(await send(), hello);
  assert.equal(count(), 1);
});

const framings: Readonly<Record<string, [answer: string, isReused: boolean]>> = {
  "with a length": [ok, true],
  "in chunks": [
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nx-trailer: 1\r\n\r\n",
    true,
  ],
  "that says that it is the last": [
    "HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 5\r\n\r\nhello",
    false,
  ],
  "of HTTP/1.0": ["HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nhello", false],
  "behind interim ones": [
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}`,
    true,
  ],
  "with more behind it": [`${ok}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`, false],
};

for (const [name, [answer, isReused]] of Object.entries(framings)) {
  clientTest(`an answer ${name}`, answering(answer), async ({ send, count }) => {
    assert.deepEqual(await send(), hello);
    assert.deepEqual(await send(), hello);
    assert.equal(count(), isReused ? 1 : 2);
  });
}

clientTest("an answer that ends with its connection", async (peer) => {
  await readHead(peer);
  await peer.send("HTTP/1.1 200 OK\r\n\r\nhello");
}, async ({ send, count }) => {
  for (let round = 0; round < 2; round++) assert.deepEqual(await send(), hello);
  assert.equal(count(), 2);
});

clientTest(
  "answers without a body, whatever length they tell",
  async (peer) => {
    for (const status of ["200 OK", "204 No Content", "304 Not Modified"]) {
      await readHead(peer);
      await peer.send(`HTTP/1.1 ${status}\r\ncontent-length: 1000\r\n\r\n`);
    }
  },
  async ({ client, count }) => {
    for (const [method, status] of [["HEAD", 200], ["GET", 204], ["GET", 304]] as const) {
      const answer = await client.call({ ...plainRequest, method }).answer();
      assert.equal(answer.head.status, status);
      assert.equal(answer.body, null);
      assert.equal(answer.head.headers.get("content-length"), "1000");
    }
    assert.equal(count(), 1);
  },
);

clientTest("a head that is cut off is asked for once more at most", async (peer) => {
  await readHead(peer);
  await peer.send("HTTP/1.1 200 OK\r\ncontent-le");
}, async ({ send, count }) => {
  await failsWith(send(), "incomplete");
  assert.equal(count(), 1);
});

clientTest("an answer that does not come", (peer) => peer.rest().then(() => {}), async ({ send }) => {
  await failsWith(send({ timeoutMs: 100 }), "timeout");
});

clientTest(
  "a body that stops coming",
  async (peer) => {
    await readHead(peer);
    await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello");
    await peer.rest();
  },
  ({ send }) => failsWith(send(), "timeout"),
  { idleTimeoutMs: 100 },
);

Deno.test("what comes unasked on an idle connection is never taken for an answer", async () => {
  const isIdle = Promise.withResolvers<void>();
  const hasCome = Promise.withResolvers<void>();
  await withClient(async (peer, number) => {
    await readHead(peer);
    await peer.send(ok);
    if (number > 1) return;
    await isIdle.promise;
    await peer.send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil");
    hasCome.resolve();
    await peer.rest();
  }, async ({ send, origin, count }) => {
    assert.deepEqual(await send(), hello);
    isIdle.resolve();
    await hasCome.promise;
    // By the time that a later message has come, the earlier one has too.
    await exchangeRaw(origin, "GET / HTTP/1.1\r\n\r\n");
    assert.deepEqual(await send(), hello);
    assert.equal(count(), 3);
  });
});

/** Ends each connection without a word when its second request comes, or before. */
const forgetful = (isEarly: boolean) =>
  clientTest(
    `a connection that was closed while it was idle${isEarly ? "" : ", unnoticed"}`,
    async (peer) => {
      await readHead(peer);
      await peer.send(ok);
      if (!isEarly) await readHead(peer);
    },
    async ({ send, count }) => {
      assert.deepEqual(await send(), hello);
      assert.deepEqual(await send(), hello);
      assert.equal(count(), 2);
    },
  );
forgetful(true);
forgetful(false);

clientTest("a request with a body, or that may not be repeated, is sent once", async (peer) => {
  await readHead(peer);
  await peer.send(ok);
  await readHead(peer);
}, async ({ send, count }) => {
  for (const request of [upload(pieces("abc"), 3), { method: "POST", repeatable: false }]) {
    const before = count();
    assert.deepEqual(await send(), hello);
    await failsWith(send(request), "incomplete");
    assert.equal(count(), before + 1);
  }
});

clientTest("an answer that comes before the body was sent ends the sending", async (peer) => {
  await readHead(peer);
  await peer.send("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno");
  await peer.rest();
}, async ({ send, count }) => {
  const wanted = Promise.withResolvers<void>();
  async function* slow() {
    yield new Uint8Array(1000);
    await wanted.promise;
    yield new Uint8Array(1000);
  }
  assert.deepEqual(await send(upload(slow())), { status: 403, text: "no" });
  assert.deepEqual(await send(upload(slow())), { status: 403, text: "no" });
  wanted.resolve();
  // What was begun on it can never be another request.
  assert.equal(count(), 2);
});

clientTest("what a body throws reaches the caller, and the server sees a broken body", async (peer) => {
  await readHead(peer);
  await peer.rest();
}, async ({ send }) => {
  async function* broken() {
    yield await Promise.resolve(new Uint8Array(10));
    throw new RangeError("tampered");
  }
  await assert.rejects(send(upload(broken())), RangeError);
});

Deno.test("a call that is given up closes its connection", async () => {
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  await withClient(async (peer) => {
    await readHead(peer);
    asked.resolve();
    ended.resolve(await peer.rest());
  }, async ({ client }) => {
    const call = client.call(plainRequest);
    const answer = call.answer();
    await asked.promise;
    call.abort();
    await failsWith(answer, "aborted");
    assert.equal(await ended.promise, "");
  });
});

clientTest("an answer that is larger than the caller takes", async (peer) => {
  await readHead(peer);
  await peer.send(`HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n${"a".repeat(1000)}`);
  await peer.rest();
}, async ({ client }) => {
  const answer = await client.call(plainRequest).answer();
  await failsWith(answer.bytes(999), "too_large");
});

Deno.test("nobody listens", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const client = new Http1Client(`http://127.0.0.1:${port}`, new Watchdog(Date.now));
  await failsWith(client.call(plainRequest).answer(), "unreachable");
});

clientTest("a head keeps every byte, so that no body is read as part of it", async (peer) => {
  while (true) {
    const head = await readHead(peer);
    const body = await peer.until("end");
    const value = /\r\nx-value: (.*)\r\n/.exec(head)?.[1] ?? "";
    await peer.send(
      `HTTP/1.1 200 OK\r\nx-value: ${value}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  }
}, async ({ client }) => {
  for (const length of [10, 4_000, 8_100, 8_130, 8_192, 12_000, 30_000]) {
    const value = "\xe9".repeat(30) + "a".repeat(length) + "\xff";
    const body = "x-injected: 1\r\n\r\nend";
    const headerLines = `host: h\r\ncontent-length: ${body.length}\r\nx-value: ${value}\r\n`;
    const call = { ...plainRequest, method: "PUT", headerLines, body: new TextEncoder().encode(body) };
    const answer = await client.call(call).answer();
    assert.equal(answer.head.headers.get("x-value"), value, String(length));
    assert.equal(new TextDecoder().decode(await answer.bytes(1000)), body);
  }
});

Deno.test("a server whose certificate nobody vouches for is sent nothing", async () => {
  const directory = await Deno.makeTempDir({ prefix: "certificates-" });
  try {
    await makeCertificates(directory);
    const [cert, key] = ["server.crt", "server.key"].map((name) =>
      Deno.readTextFileSync(`${directory}/${name}`)
    );
    let seen = "";
    await withClient(
      async (peer) => {
        seen += await peer.rest();
      },
      async ({ send }) => {
        await failsWith(send(), "unreachable");
      },
      {},
      { cert, key },
    );
    assert.equal(seen, "");
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

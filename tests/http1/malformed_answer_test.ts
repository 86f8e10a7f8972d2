import { answering, readHead } from "./support/scripted_server.ts";
import { clientTest, failsWith } from "./support/test_client.ts";

const ambiguous: Readonly<Record<string, string>> = {
  "two lengths": "content-length: 5\r\ncontent-length: 6\r\n",
  "a length and chunks": "content-length: 5\r\ntransfer-encoding: chunked\r\n",
  "an unknown coding": "transfer-encoding: gzip\r\n",
  "a negative length": "content-length: -1\r\n",
  "a folded header": "x-a: 1\r\n content-length: 5\r\n",
  "a bare LF": "x-a: 1\ncontent-length: 5\r\n",
  "a space before the colon": "content-length : 5\r\n",
  "a control character": "x-a: \x00\r\n",
};

for (const [name, lines] of Object.entries(ambiguous)) {
  clientTest(
    `an answer with ${name} is none`,
    answering(`HTTP/1.1 200 OK\r\n${lines}\r\nhello`),
    ({ send }) => failsWith(send(), "malformed"),
  );
}

clientTest("what is no answer is none", async (peer, number) => {
  await readHead(peer);
  await peer.send(
    ["SSH-2.0-x\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n"][
      number - 1
    ],
  );
  await peer.rest();
}, async ({ send }) => {
  for (let round = 0; round < 4; round++) await failsWith(send(), "malformed", String(round));
});

clientTest(
  "interim answers without end",
  answering("HTTP/1.1 100 Continue\r\n\r\n".repeat(50)),
  ({ send }) => failsWith(send(), "malformed"),
);

clientTest(
  "a head without end",
  answering(`HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(70_000)}`),
  ({ send }) => failsWith(send(), "too_large"),
);

clientTest("a body that is cut off", async (peer, number) => {
  await readHead(peer);
  await peer.send(
    number === 1
      ? "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello"
      : "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
  );
}, async ({ send }) => {
  for (let round = 0; round < 2; round++) await failsWith(send(), "incomplete");
});

/** Passes content on; before each piece, `note` learns of it and of how many bytes there were so far, it included. */
export async function* noteContent(
  content: AsyncIterable<Uint8Array>,
  note: (piece: Uint8Array, received: number) => void,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const piece of content) {
    received += piece.length;
    note(piece, received);
    yield piece;
  }
}

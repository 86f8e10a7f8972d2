/** Gives `bytes` in pieces of `step`, each of which is overwritten once the next is asked for, as a read buffer is. */
export async function* reusedPieces(bytes: Uint8Array, step: number): AsyncGenerator<Uint8Array, void> {
  const buffer = new Uint8Array(step);
  for (let start = 0; start < bytes.length; start += step) {
    const piece = bytes.subarray(start, start + step);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0xee);
  }
}

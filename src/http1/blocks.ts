import { Buffer } from "node:buffer";

/** Size of the blocks that bodies are read into, in bytes: larger ones are no faster. */
const blockBytes = 256 * 1024;

/** Free blocks that are kept for the next body. */
const maxFreeBlocks = 64;

const free: Buffer[] = [];

/** A block to read a body into; {@link releaseBlock} gives it back. Its bytes are those of its last use. */
export function takeBlock(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
}

/** Gives a block back. Nobody may use it, or a view of it, any more. */
export function releaseBlock(block: Buffer): void {
  if (free.length < maxFreeBlocks) free.push(block);
}

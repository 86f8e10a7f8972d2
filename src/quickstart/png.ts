import { crc32, deflateSync } from "node:zlib";

/** Red, green and blue, each 0 to 255. */
export type Colour = readonly [number, number, number];

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** 8 bits a channel, RGB, and the only compression, filter and interlace methods there are or that are needed. */
const trueColour = [8, 2, 0, 0, 0];

/** Makes a PNG (https://www.w3.org/TR/png-3/) of the colours that `colourAt` gives for each pixel. */
export function encodePng(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Uint8Array<ArrayBuffer> {
  const rowSize = 1 + 3 * width;
  const pixels = new Uint8Array(rowSize * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colourAt(x, y), y * rowSize + 1 + 3 * x);
  }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  trueColour.forEach((value, index) => header.setUint8(8 + index, value));
  const chunks = [
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", new Uint8Array()),
  ];
  return concatenate([signature, ...chunks]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

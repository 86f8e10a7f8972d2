import jsqr from "jsqr";

type Decode = (pixels: Uint8ClampedArray, width: number, height: number) => { readonly data: string } | null;

/** The library's types put the function that it exports one level too deep. */
const decode = jsqr as unknown as Decode;

/** Pixels along the side of a module, and modules of light around the code. */
const scale = 4;
const quietZone = 4;

/**
 * What the modules of a QR code say, by a reader that is not ours: they are drawn as an image first. `null` when it cannot
 * be read.
 */
export function decodeQr(modules: readonly (readonly boolean[])[]): string | null {
  const size = (modules.length + 2 * quietZone) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const row = Math.floor(y / scale) - quietZone;
      const column = Math.floor(x / scale) - quietZone;
      if (modules[row]?.[column]) pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  }
  return decode(pixels, size, size)?.data ?? null;
}

/** The modules that an SVG path of squares and runs draws, as in `M4 4h7v1h-7z`; a quiet zone of four stays out. */
export function modulesOf(path: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, column, row, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    modules[Number(row) - quietZone].fill(
      true,
      Number(column) - quietZone,
      Number(column) - quietZone + Number(length),
    );
  }
  return modules;
}

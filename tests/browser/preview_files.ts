/** One page with a word on it. */
export function pdf(): string {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 4\n0000000000 65535 f \n${offsets.join("")}`;
  return `${text}${table}trailer << /Size 4 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
}

/** Some seconds of silence. */
export function wav(seconds: number): Uint8Array {
  const rate = 8000;
  const samples = rate * seconds;
  const bytes = new Uint8Array(44 + samples).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const write = (offset: number, text: string) => bytes.set(new TextEncoder().encode(text), offset);
  write(0, "RIFF");
  view.setUint32(4, 36 + samples, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, "data");
  view.setUint32(40, samples, true);
  return bytes;
}

/** An archive with one stored file. Checksums are left out: a listing does not look at them. */
export function zip(): Uint8Array {
  const name = new TextEncoder().encode("docs/<b>.txt");
  const local = 30 + name.length + 5;
  const bytes = new Uint8Array(local + 46 + name.length + 22);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x04034b50, true);
  view.setUint32(18, 5, true);
  view.setUint32(22, 5, true);
  view.setUint16(26, name.length, true);
  bytes.set(name, 30);
  view.setUint32(local, 0x02014b50, true);
  view.setUint16(local + 8, 0x800, true);
  view.setUint32(local + 20, 5, true);
  view.setUint32(local + 24, 5, true);
  view.setUint16(local + 28, name.length, true);
  bytes.set(name, local + 46);
  const end = local + 46 + name.length;
  view.setUint32(end, 0x06054b50, true);
  view.setUint16(end + 10, 1, true);
  view.setUint32(end + 12, 46 + name.length, true);
  view.setUint32(end + 16, local, true);
  return bytes;
}

/** A JPEG file with what a camera writes into it, in Exif: https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf. */
export function withExif(jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  const tiff = exifTiff();
  const segment = new Uint8Array(10 + tiff.length);
  segment.set([0xff, 0xe1]);
  new DataView(segment.buffer).setUint16(2, segment.length - 2);
  segment.set(new TextEncoder().encode("Exif\0\0"), 4);
  segment.set(tiff, 10);
  return new Uint8Array([...jpeg.subarray(0, 2), ...segment, ...jpeg.subarray(2)]);
}

/** Entries of a directory: tag, type, and the value as bytes. */
type ExifEntry = readonly [tag: number, type: 2 | 3 | 4 | 5, value: Uint8Array];

/** A camera, a setting of each type, and a place in Sydney, with the most significant byte first. */
function exifTiff(): Uint8Array {
  const ofMain = (details: number, place: number): ExifEntry[] => [
    [0x010f, 2, ascii("Example")],
    [0x0110, 2, ascii("Example One")],
    [0x8769, 4, numbers(4, details)],
    [0x8825, 4, numbers(4, place)],
  ];
  const ofDetails: ExifEntry[] = [
    [0x829a, 5, numbers(4, 1, 250)],
    [0x829d, 5, numbers(4, 28, 10)],
    [0x8827, 3, numbers(2, 400)],
    [0x9003, 2, ascii("2026:11:21 18:05:30")],
  ];
  const ofPlace: ExifEntry[] = [
    [1, 2, ascii("S")],
    [2, 5, numbers(4, 33, 1, 51, 1, 30, 1)],
    [3, 2, ascii("E")],
    [4, 5, numbers(4, 151, 1, 12, 1, 54, 1)],
  ];
  const start = 8;
  const details = start + exifDirectory(ofMain(0, 0), start).length;
  const place = details + exifDirectory(ofDetails, details).length;
  return new Uint8Array([
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, start],
    ...exifDirectory(ofMain(details, place), start),
    ...exifDirectory(ofDetails, details),
    ...exifDirectory(ofPlace, place),
  ]);
}

function exifDirectory(entries: readonly ExifEntry[], at: number): Uint8Array {
  const head = [...numbers(2, entries.length)];
  const rest: number[] = [];
  const restAt = at + 2 + entries.length * 12 + 4;
  for (const [tag, type, value] of entries) {
    const count = value.length / { 2: 1, 3: 2, 4: 4, 5: 8 }[type];
    head.push(...numbers(2, tag, type), ...numbers(4, count));
    if (value.length > 4) {
      head.push(...numbers(4, restAt + rest.length));
      rest.push(...value);
    } else head.push(...value, ...new Array(4 - value.length).fill(0));
  }
  return new Uint8Array([...head, 0, 0, 0, 0, ...rest]);
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

/** Numbers of so many bytes each, the most significant first. */
function numbers(size: 2 | 4, ...values: number[]): Uint8Array {
  const bytes = new Uint8Array(size * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) =>
    size === 2 ? view.setUint16(index * 2, value) : view.setUint32(index * 4, value)
  );
  return bytes;
}

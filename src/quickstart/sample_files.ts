import { encodePdf } from "./pdf.ts";
import { type Colour, encodePng } from "./png.ts";

/** An object of the sample data. */
export interface SampleFile {
  readonly key: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const readingCounts = [1250, 150, 150, 150, 150, 150];

/** One of each kind that the dashboard shows, in folders. */
export function sampleDocuments(): SampleFile[] {
  return [
    textFile("welcome.txt", "text/plain", [
      "This bucket holds sample data. Everything in it can be changed and deleted.",
      "Upload a file by dropping it on the page.",
    ]),
    { key: "pictures/hills.png", contentType: "image/png", bytes: encodePng(640, 400, hills) },
    { key: "documents/report.pdf", contentType: "application/pdf", bytes: report() },
    textFile("documents/inventory.csv", "text/csv", [
      "article,shelf,count,price",
      '"Cable, 2 m",A1,120,4.50',
      "Adapter,A2,35,12.90",
      '"Screen 24"" matt",B1,8,189.00',
      "Keyboard,B2,21,39.90",
    ]),
    textFile("documents/日本語/手紙.txt", "text/plain", [
      "お元気ですか。",
      "こちらはすっかり秋になりました。山の木々が赤く染まっています。",
      "次の休みに、ぜひ遊びに来てください。",
    ]),
  ];
}

/** 2,000 small objects in six folders, the first of which fills more than one page of a listing. */
export function sampleReadings(): SampleFile[] {
  return readingCounts.flatMap((count, index) =>
    Array.from({ length: count }, (_, reading) => sampleReading(index + 1, reading))
  );
}

function sampleReading(station: number, reading: number): SampleFile {
  const celsius = Math.round(10 * (12 + 8 * Math.sin(reading / 20 + station))) / 10;
  const key = `readings/station-${station}/${String(reading).padStart(4, "0")}.json`;
  return textFile(key, "application/json", [JSON.stringify({ station, reading, celsius })]);
}

function textFile(key: string, contentType: string, lines: readonly string[]): SampleFile {
  return { key, contentType, bytes: new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")) };
}

function report(): Uint8Array<ArrayBuffer> {
  return encodePdf("Readings of the week", [
    "Six stations sent 2,000 readings, station 1 most of them.",
    "All readings are in the folder readings/ of this bucket.",
  ]);
}

/** A sun above three ranges of hills. */
function hills(x: number, y: number): Colour {
  const ridges: [height: number, colour: Colour][] = [
    [330 + 18 * Math.sin(x / 47), [38, 70, 83]],
    [285 + 30 * Math.sin(x / 71 + 2), [42, 110, 110]],
    [240 + 40 * Math.sin(x / 103 + 4), [92, 150, 132]],
  ];
  for (const [height, colour] of ridges) if (y > height) return colour;
  if (Math.hypot(x - 470, y - 110) < 42) return [255, 214, 120];
  const dusk = y / 280;
  return [Math.round(120 + 130 * dusk), Math.round(160 + 40 * dusk), Math.round(215 - 40 * dusk)];
}

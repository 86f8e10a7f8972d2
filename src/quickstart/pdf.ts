/**
 * Makes a PDF (ISO 32000-1) of one A4 page in Helvetica: a title, then lines of text. Both may only hold characters of
 * Latin-1.
 */
export function encodePdf(title: string, lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const content = [
    "BT /F1 22 Tf 72 760 Td",
    `${literal(title)} Tj`,
    "/F1 12 Tf 0 -14 Td",
    ...lines.map((line) => `0 -18 Td ${literal(line)} Tj`),
    "ET",
  ].join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  text += `xref\n0 ${count}\n0000000000 65535 f \n${entries}` +
    `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, "\\$&")})`;
}

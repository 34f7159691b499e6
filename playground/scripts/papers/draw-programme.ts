const lines: readonly (readonly [size: number, text: string])[] = [
  [30, 'Thursday evenings'],
  [13, 'Ravnsund Museum, the long hall, at half past five'],
  [16, ''],
  [16, "January    The Turk's head, and what it is good for"],
  [16, 'February   Soundings: how deep is a fathom?'],
  [16, 'March      Gulls, and those who know them apart'],
  [16, 'April      The lens of Skarv light'],
  [16, 'May        Rowing to the lighthouse'],
  [16, ''],
  [13, 'Half an hour, free, with coffee. In winter there is soup.'],
];

/** The programme of the evenings: a PDF of one page, in fonts that every reader has. */
export function drawProgramme(): Buffer {
  let y = 760;
  const text = lines.map(([size, line]) => {
    y -= size * 1.9;
    return `BT /F1 ${size} Tf 72 ${y.toFixed(1)} Td (${line.replace(/([()\\])/g, '\\$1')}) Tj ET`;
  });
  const content = text.join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>',
    '<< /Title (Thursday evenings) >>',
  ];
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${file.lastIndexOf('xref\n0')}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

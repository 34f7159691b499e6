/** Small generated files that aren't images. */

/** A PDF of one empty page. */
export function drawPdf(title = 'Annual report'): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    `<< /Title (${title}) >>`,
  ];
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  text += `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A tone of one second, as a WAV file with one channel and 8 bits. */
export function drawSound(frequency = 440): Buffer {
  const rate = 8000;
  const samples = Buffer.from(
    Array.from({ length: rate }, (_, at) =>
      Math.round(128 + 100 * Math.sin((2 * Math.PI * frequency * at) / rate)),
    ),
  );
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** An MP4 file with a video's headers and no frame. Enough to detect its type and size. */
export function drawMp4({
  width,
  height,
  isTurned = false,
  brand = 'isom',
}: {
  width: number;
  height: number;
  /** Stored rotated, like a video of a phone held upright. */
  isTurned?: boolean;
  /** `qt  ` is QuickTime. */
  brand?: string;
}): Buffer {
  const one = 0x10000;
  const matrix = isTurned
    ? [0, one, 0, -one, 0, 0, 0, 0, 0x40000000]
    : [one, 0, 0, 0, one, 0, 0, 0, 0x40000000];
  const stored = isTurned ? [height, width] : [width, height];
  const track = Buffer.alloc(84);
  for (const [index, value] of matrix.entries()) track.writeInt32BE(value, 40 + 4 * index);
  for (const [index, side] of stored.entries()) track.writeUInt32BE(side * one, 76 + 4 * index);
  const silent = Buffer.alloc(84);
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\x02\0isommp41`, 'latin1')),
    box('free', Buffer.alloc(64)),
    box(
      'moov',
      box('mvhd', Buffer.alloc(100)),
      box('trak', box('tkhd', silent)),
      box('trak', box('edts', Buffer.alloc(8)), box('tkhd', track)),
    ),
    box('mdat', Buffer.alloc(200, 7)),
  ]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

import { crc32 } from 'node:zlib';
import sharp from 'sharp';

export const vocabulary = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** XMP as editing programs write it, with this content in its description. */
export function xmpPacket(content: string, attributes = ''): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:dc="http://purl.org/dc/elements/1.1/"${attributes}>${content}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}

export function markOf(term: string): string {
  const name = 'Iptc4xmpExt:DigitalSourceType';
  return xmpPacket(`<${name}>${vocabulary}${term}</${name}>`);
}

export const drawnFormats = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const;

/** A small image in one color, with XMP. `frames` makes it an animation. */
export async function drawMarked(
  format: (typeof drawnFormats)[number],
  { xmp, color = '#2060a0', frames = 1 }: { xmp?: string; color?: string; frames?: number } = {},
): Promise<Buffer> {
  const draw = (background: string) =>
    sharp({ create: { width: 12, height: 8, channels: 3, background } });
  const pages = await Promise.all(
    [color, '#ffffff', '#000000'].slice(0, frames).map((one) => draw(one).png().toBuffer()),
  );
  const image = frames > 1 ? sharp(pages, { join: { animated: true } }) : draw(color);
  const settings = format === 'avif' ? { effort: 0 } : {};
  if (format === 'gif') {
    const bytes = await image.gif().toBuffer();
    return xmp ? embedXmpInGif(bytes, xmp) : bytes;
  }
  return (xmp ? image.withXmp(xmp) : image)[format](settings).toBuffer();
}

/** Puts XMP into a GIF, before its first block: as the application extension of the specification, part 3. */
export function embedXmpInGif(gif: Buffer, xmp: string): Buffer {
  const [flags = 0] = gif.subarray(10);
  const start = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);
  const skip = Array.from({ length: 256 }, (_, index) => 255 - index);
  return Buffer.concat([
    gif.subarray(0, start),
    Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'),
    ...[Buffer.from(xmp), Buffer.from([0x01, ...skip, 0x00]), gif.subarray(start)],
  ]);
}

/** The length of a box, chunk or segment, and its name. */
const sized = (size: number, name: string) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(size);
  bytes.write(name, 4, 'latin1');
  return bytes;
};

/** A manifest's outermost box, without the content that a verifier needs. */
function manifestBox(): Buffer {
  const uuid = Buffer.from('6332706100110010800000aa00389b71', 'hex');
  const description = Buffer.concat([uuid, Buffer.from([3]), Buffer.from('c2pa\0')]);
  const inner = Buffer.concat([sized(8 + description.length, 'jumd'), description]);
  return Buffer.concat([sized(8 + inner.length, 'jumb'), inner]);
}

/** Adds a C2PA manifest to a file, where the specification puts it. */
export function withManifest(format: 'jpeg' | 'png', bytes: Buffer): Buffer {
  const box = manifestBox();
  if (format === 'jpeg') {
    const head = Buffer.from([0xff, 0xeb, 0, box.length + 10, 0x4a, 0x50, 0, 1, 0, 0, 0, 1]);
    return Buffer.concat([bytes.subarray(0, 2), head, box, bytes.subarray(2)]);
  }
  const afterHeader = 33;
  const chunk = Buffer.concat([sized(box.length, 'caBX'), box]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(chunk.subarray(4)));
  return Buffer.concat([
    bytes.subarray(0, afterHeader),
    ...[chunk, checksum, bytes.subarray(afterHeader)],
  ]);
}

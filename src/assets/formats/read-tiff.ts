import { cameraRaw } from './sniff-bytes.ts';

const tag = {
  subfileType: 254,
  compression: 259,
  photometric: 262,
  tileWidth: 322,
  subfiles: 330,
  chromaSubsampling: 530,
  dngVersion: 50706,
};
const [jpeg, ycbcr] = [7, 6];

/**
 * What the decoder would get wrong in a TIFF without an error.
 *
 * @returns `unread`: what it can't read, for messages. `hidesDamage`: damaged parts are only warnings
 */
export function inspectTiff(bytes: Buffer): { unread: string | undefined; hidesDamage: boolean } {
  const tags = firstTags(bytes);
  const isThumbnail = (tags.get(tag.subfileType) ?? 0) % 2 === 1;
  const isRaw = tags.has(tag.dngVersion) || (isThumbnail && tags.has(tag.subfiles));
  const compression = tags.get(tag.compression) ?? 1;
  const isPlainYcbcr =
    tags.get(tag.photometric) === ycbcr &&
    compression !== jpeg &&
    tags.get(tag.chromaSubsampling) === 1;
  const unread = isRaw ? cameraRaw : isPlainYcbcr ? 'a TIFF in uncompressed YCbCr' : undefined;
  // 2 and 3 are those of faxes.
  return { unread, hidesDamage: tags.has(tag.tileWidth) || [2, 3].includes(compression) };
}

/** The tags of the first image, each with its first value (a SHORT or LONG) or its place. */
function firstTags({ buffer, byteOffset, byteLength }: Buffer): ReadonlyMap<number, number> {
  const view = new DataView(buffer, byteOffset, byteLength);
  const little = view.getUint8(0) === 0x49;
  const short = (at: number) => view.getUint16(at, little);
  const long = (at: number) => view.getUint32(at, little);
  const start = long(4);
  const entries = Array.from({ length: short(start) }, (_, index) => start + 2 + 12 * index);
  return new Map(
    entries.map((at) => [short(at), short(at + 2) === 3 ? short(at + 8) : long(at + 8)]),
  );
}

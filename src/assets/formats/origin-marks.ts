import { readFile } from 'node:fs/promises';
import { namespaces } from './credit.ts';
import { xmpOfGif } from './embed-xmp.ts';
import { readXmp } from './read-xmp.ts';
import { sharp } from './sharp.ts';
import { readSourceType } from './source-types.ts';

/** What an image says about its origin. */
export interface OriginMarks {
  /** The term of its digital source type. */
  readonly digitalSourceType: string | undefined;
  /** Whether it has Content Credentials: a C2PA manifest. */
  readonly hasManifest: boolean;
}

/**
 * How the description of a manifest store begins, in every kind of file: C2PA specification, 11.1.4.2,
 * and ISO/IEC 19566-5, A.3.
 */
const manifestStart = Buffer.concat([
  Buffer.from('jumd'),
  Buffer.from('6332706100110010800000aa00389b71', 'hex'),
]);

/** Reads the marks of an image that a decoder can open. */
export async function readMarks(file: string, kind: string): Promise<OriginMarks> {
  const bytes = await readFile(file);
  const { xmp } =
    kind === 'gif'
      ? { xmp: xmpOfGif(bytes) }
      : await sharp(file, { limitInputPixels: false }).metadata();
  return {
    digitalSourceType: sourceTypeIn(xmp?.toString() ?? ''),
    hasManifest: bytes.includes(manifestStart),
  };
}

export function sourceTypeIn(xmp: string): string | undefined {
  const types = readXmp(xmp)(`${namespaces.Iptc4xmpExt}DigitalSourceType`);
  return types.map(readSourceType).find((term) => term !== undefined);
}

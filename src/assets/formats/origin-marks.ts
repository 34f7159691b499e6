import { readFile } from 'node:fs/promises';
import { namespaces } from './credit.ts';
import { xmpOfGif } from './embed-xmp.ts';
import { readXmp } from './read-xmp.ts';
import { sharp } from './sharp.ts';
import type { Source } from './source.ts';
import { readSourceType } from './source-types.ts';

/** The C2PA specification: how the description of a manifest store begins, in every kind of file. */
const manifestStart = Buffer.concat([
  Buffer.from('jumd'),
  Buffer.from('6332706100110010800000aa00389b71', 'hex'),
]);

/** What an image that a decoder can open says about its origin. */
export async function readMarks(
  file: string,
  kind: string,
): Promise<Pick<Source, 'digitalSourceType' | 'hasManifest'>> {
  const bytes = await readFile(file);
  const settings = { limitInputPixels: false } as const;
  const xmp = kind === 'gif' ? xmpOfGif(bytes) : (await sharp(bytes, settings).metadata()).xmp;
  return {
    digitalSourceType: sourceTypeIn(xmp?.toString() ?? ''),
    hasManifest: bytes.includes(manifestStart),
  };
}

export function sourceTypeIn(xmp: string): string | undefined {
  const types = readXmp(xmp)(`${namespaces.Iptc4xmpExt}DigitalSourceType`);
  return types.map(readSourceType).find((term) => term !== undefined);
}

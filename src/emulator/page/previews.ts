import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { HttpError } from '../calls/http-error.ts';
import type { Asset } from '../library/asset.ts';
import { type AssetFile, contentType, measureAsset } from '../library/asset-file.ts';

export interface PreviewFacts extends AssetFile {
  /** Media type by file name. */
  readonly type: string;
  /** As displayed (after EXIF orientation); `undefined` if it isn't a readable image. */
  readonly pixels: { readonly width: number; readonly height: number } | undefined;
}

/** Larger files aren't read, in bytes. */
const maxImageBytes = 256 * 1024 * 1024;

/** Reads facts about an asset's file; `undefined` if it's deleted. Keeps them until the file changes. */
export function createFileFacts(): (asset: Asset) => Promise<PreviewFacts | undefined> {
  const known = new Map<number, PreviewFacts>();
  return async (asset) => {
    const file = asset.gone ? undefined : measureAsset(asset);
    if (file === undefined) return undefined;
    const before = known.get(asset.id);
    if (before?.version === file.version) return before;
    const type = contentType(asset.name).split(';', 1)[0] ?? '';
    const isImage = type.startsWith('image/') && file.size <= maxImageBytes;
    // Without them, the page shows the media type.
    const pixels = isImage ? await pixelsOf(asset.file).catch(() => undefined) : undefined;
    const facts = { ...file, type, pixels };
    known.set(asset.id, facts);
    return facts;
  };
}

async function pixelsOf(file: string): Promise<PreviewFacts['pixels']> {
  const { width, height } = (await sharp(await readFile(file)).metadata()).autoOrient;
  return { width, height };
}

/** Longest side of a preview in pixels: for the grid and for an asset's page. */
export const previewSizes = [600, 1600] as const;

/** @param side longest side in pixels */
export async function drawPreview(file: string, side: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    // Show as much as possible of a truncated image.
    const image = sharp(await readFile(file), { failOn: 'none' }).autoOrient();
    const resized = image.resize(side, side, { fit: 'inside', withoutEnlargement: true });
    return new Uint8Array(await resized.webp({ quality: 82, effort: 2 }).toBuffer());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HttpError(415, 'not-a-picture', `The file can't be shown as an image: ${reason}.`);
  }
}

import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { contentType } from '../calls/content-type.ts';
import { HttpError } from '../calls/http-error.ts';
import type { Asset } from '../library/asset.ts';
import { measureAsset } from '../library/asset-file.ts';

export interface PreviewFacts {
  /** Media type, as the file's name says. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** As displayed (after EXIF orientation); undefined if the file can't be read as an image. */
  readonly pixels: { readonly width: number; readonly height: number } | undefined;
  /** Changes with the file. */
  readonly version: string;
}

/** Reads the facts of an asset's file; undefined once the file is gone. */
export type ReadFileFacts = (asset: Asset) => Promise<PreviewFacts | undefined>;

/** Larger files are not looked into, in bytes. */
const maxImageBytes = 256 * 1024 * 1024;

/** Facts are kept in memory until their file changes. */
export function createFileFacts(): ReadFileFacts {
  const known = new Map<number, PreviewFacts>();
  return async (asset) => {
    const measured = measureAsset(asset);
    if (measured === undefined) return undefined;
    const { size, modified } = measured;
    const version = `${modified.getTime()}-${size}`;
    const before = known.get(asset.id);
    if (before?.version === version) return before;
    const type = contentType(asset.name).split(';', 1)[0] ?? '';
    const isImage = type.startsWith('image/') && size <= maxImageBytes;
    const pixels = isImage ? await pixelsOf(asset.file) : undefined;
    const facts = { type, size, modified, pixels, version };
    known.set(asset.id, facts);
    return facts;
  };
}

async function pixelsOf(file: string): Promise<PreviewFacts['pixels']> {
  try {
    const { width, height } = (await sharp(await readFile(file)).metadata()).autoOrient;
    return { width, height };
  } catch {
    // The page shows the media type instead.
    return undefined;
  }
}

/** Longest side of a preview, in pixels: one for the grid, one for an asset's own page. */
export const previewSizes = [600, 1600] as const;

/**
 * @param side Longest side, in pixels.
 * @throws HttpError 415 for a file that can't be read as an image.
 */
export async function drawPreview(file: string, side: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    // An image that was cut short is shown as far as it goes.
    const image = sharp(await readFile(file), { failOn: 'none' }).autoOrient();
    const resized = image.resize(side, side, { fit: 'inside', withoutEnlargement: true });
    return new Uint8Array(await resized.webp({ quality: 82, effort: 2 }).toBuffer());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HttpError(415, 'not-a-picture', `The file can't be shown as an image: ${reason}.`);
  }
}

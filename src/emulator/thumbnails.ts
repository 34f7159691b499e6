import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import sharp from 'sharp';
import writeFileAtomic from 'write-file-atomic';
import type { Asset } from './asset.ts';
import { maxPictureBytes, type ReadFileFacts } from './file-facts.ts';
import { Refusal } from './refusal.ts';
import { isMissing } from './walk-media-folder.ts';

/** Longest side of a thumbnail, in pixels: one for the grid, one for an asset's own page. */
export const thumbnailSizes = [600, 1600] as const;

export type ThumbnailSize = (typeof thumbnailSizes)[number];

/** Changes when the same picture can come out with other bytes. */
const recipe = 1;

export interface Thumbnail {
  /** WebP. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Identifies the bytes. */
  readonly tag: string;
}

/**
 * Whole pictures, upright and small, each made once and kept in a folder.
 *
 * @param folder Made when the first thumbnail is.
 */
export function createThumbnails({
  facts,
  folder,
}: {
  facts: ReadFileFacts;
  folder: string;
}): (asset: Asset, size: ThumbnailSize) => Promise<Thumbnail> {
  const limit = pLimit(2);
  const underWay = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  const make = async (asset: Asset, size: ThumbnailSize, file: string) => {
    const original = await readFile(asset.file);
    const thumbnail = await drawThumbnail(original, size);
    await mkdir(folder, { recursive: true });
    await writeFileAtomic(file, thumbnail, { fsync: false });
    return new Uint8Array(thumbnail);
  };

  return async (asset, size) => {
    const found = await facts(asset);
    if (found?.pixels === undefined || found.size > maxPictureBytes)
      throw new Refusal(415, 'not-a-picture', `File ${asset.id} is no picture that can be shown.`);
    const tag = `${asset.id}-${found.version}-${size}-${recipe}`;
    const file = join(folder, `${tag}.webp`);
    const kept = await readIfThere(file);
    if (kept !== undefined) return { bytes: kept, tag };
    const making = underWay.get(tag) ?? limit(() => make(asset, size, file));
    underWay.set(tag, making);
    try {
      return { bytes: await making, tag };
    } finally {
      underWay.delete(tag);
    }
  };
}

/** @throws Refusal 415 for bytes that hold no picture after all. */
async function drawThumbnail(original: Uint8Array, size: number): Promise<Buffer> {
  try {
    // A picture that was cut short is shown as far as it goes.
    return await sharp(original, { failOn: 'none' })
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: 2 })
      .toBuffer();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(415, 'not-a-picture', `The file is no picture that can be shown: ${reason}.`);
  }
}

async function readIfThere(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

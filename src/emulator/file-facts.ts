import { type FileHandle, open } from 'node:fs/promises';
import sharp from 'sharp';
import type { Asset } from './asset.ts';
import { isMissing } from './walk-media-folder.ts';

export type FileKind = 'picture' | 'video' | 'sound' | 'document' | 'file';

/** What the page says about an asset's file. */
export interface FileFacts {
  readonly kind: FileKind;
  /** The ending of the name, in capitals: `JPG`; empty where there is none. */
  readonly format: string;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** As displayed (after EXIF orientation); undefined where the file is no picture that can be read. */
  readonly pixels: { readonly width: number; readonly height: number } | undefined;
  /** Changes with the file; safe in a file name. */
  readonly version: string;
}

/** Reads the facts of an asset's file; undefined once the file is gone. */
export type ReadFileFacts = (asset: Asset) => Promise<FileFacts | undefined>;

const endings: Readonly<Record<Exclude<FileKind, 'file'>, RegExp>> = {
  picture: /^(jpe?g|png|webp|avif|gif|tiff?|svg|heic|heif|bmp|psd)$/i,
  video: /^(mp4|m4v|mov|webm|mkv|avi|mpe?g)$/i,
  sound: /^(mp3|m4a|wav|ogg|oga|opus|flac|aac)$/i,
  document: /^(pdf|docx?|xlsx?|pptx?|odt|ods|odp|txt|md|csv|rtf|epub)$/i,
};

/** Enough of a file to find a picture's size in, in bytes; most have it in the first few. */
const headBytes = 256 * 1024;

/** Larger files are not looked into, in bytes. */
export const maxPictureBytes = 256 * 1024 * 1024;

/** Facts are kept in memory until their file changes. */
export function createFileFacts(): ReadFileFacts {
  const known = new Map<number, FileFacts>();
  return async (asset) => {
    const handle = await open(asset.file).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (handle === undefined) return undefined;
    try {
      const stat = await handle.stat({ bigint: true });
      const version = [stat.mtimeNs, stat.ctimeNs, stat.size].map((n) => n.toString(36)).join('-');
      const before = known.get(asset.id);
      if (before?.version === version) return before;
      const format = formatOf(asset.name);
      const kind = kindOf(format);
      const size = Number(stat.size);
      const facts: FileFacts = {
        kind,
        format: format.toUpperCase(),
        size,
        modified: new Date(Number(stat.mtimeMs)),
        pixels: kind === 'picture' ? await measurePicture(handle, size) : undefined,
        version,
      };
      known.set(asset.id, facts);
      return facts;
    } finally {
      await handle.close();
    }
  };
}

function formatOf(name: string): string {
  return name.match(/[^.]\.([^.\s]{1,8})$/)?.[1] ?? '';
}

function kindOf(format: string): FileKind {
  const kinds = Object.keys(endings) as (keyof typeof endings)[];
  return kinds.find((kind) => endings[kind].test(format)) ?? 'file';
}

async function measurePicture(handle: FileHandle, size: number): Promise<FileFacts['pixels']> {
  const head = await readStart(handle, Math.min(size, headBytes));
  const found = await pixelsOf(head);
  if (found !== undefined || size <= headBytes || size > maxPictureBytes) return found;
  return pixelsOf(await readStart(handle, size));
}

async function readStart(handle: FileHandle, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

async function pixelsOf(bytes: Uint8Array): Promise<FileFacts['pixels']> {
  try {
    const { width, height } = (await sharp(bytes).metadata()).autoOrient;
    return { width, height };
  } catch {
    // No picture that can be read: the page shows an icon instead.
    return undefined;
  }
}

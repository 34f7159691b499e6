import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { lookup } from 'mrmime';
import type { Asset } from './asset.ts';

export interface AssetFile {
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** Changes with the content. A change of the content within a few milliseconds may go unnoticed. */
  readonly version: string;
}

/** Opens an asset's file; `undefined` for a deleted one. Close `handle` after use. */
export async function openAsset(asset: Asset) {
  try {
    const handle = await open(asset.file);
    return { handle, ...toAssetFile(await handle.stat({ bigint: true })) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What's known about an asset's file without reading it; `undefined` if it's deleted. */
export function measureAsset(asset: Asset): AssetFile | undefined {
  const stat = statSync(asset.file, { throwIfNoEntry: false, bigint: true });
  return stat && toAssetFile(stat);
}

function toAssetFile({ size, mtimeNs, mtimeMs, ctimeNs, ino }: BigIntStats): AssetFile {
  return {
    size: Number(size),
    modified: new Date(Number(mtimeMs)),
    version: [size, mtimeNs, ctimeNs, ino].map((one) => one.toString(36)).join('-'),
  };
}

/** Whether a real path is a regular file and contains no symbolic link. */
export function isServed(file: string): boolean {
  try {
    return lstatSync(file).isFile() && realpathSync(file) === file;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The media type for a file name, with the charset for text. */
export function contentType(name: string): string {
  const type = lookup(name) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

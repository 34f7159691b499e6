import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { mimes } from 'hono/utils/mime';
import type { Asset } from './asset.ts';
import { isMissing } from './walk-media-folder.ts';

/** An open file with its size and hash. Close `handle` after use. */
export interface OpenAsset {
  readonly handle: FileHandle;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
}

/** Opens assets' files; `undefined` for a deleted one. Hashes an unchanged file only once. */
export function createAssetOpener(
  database: DatabaseSync,
): (asset: Asset) => Promise<OpenAsset | undefined> {
  const hashOf = database.prepare('SELECT fingerprint, sha256 FROM asset WHERE id = ?');
  const keepHash = database.prepare('UPDATE asset SET fingerprint = ?, sha256 = ? WHERE id = ?');

  const hash = async (id: number, handle: FileHandle): Promise<Omit<OpenAsset, 'handle'>> => {
    const stat = await handle.stat({ bigint: true });
    const facts = { size: Number(stat.size), modified: new Date(Number(stat.mtimeMs)) };
    const fingerprint = [stat.size, stat.mtimeNs, stat.ctimeNs, stat.ino].join(':');
    const known = hashOf.get(id);
    if (known?.fingerprint === fingerprint) return { ...facts, sha256: String(known.sha256) };

    const digest = createHash('sha256');
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false }))
      digest.update(chunk);
    const sha256 = digest.digest('hex');
    // A file changed just now can change again within the file system's clock resolution.
    if (Date.now() - Number(stat.ctimeMs) > 2000) keepHash.run(fingerprint, sha256, id);
    return { ...facts, sha256 };
  };

  return async (asset) => {
    const handle = await open(asset.file).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (handle === undefined) return undefined;
    try {
      return { handle, ...(await hash(asset.id, handle)) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
}

/** Size in bytes and modification time of an asset's file; `undefined` if it's deleted. */
export function measureAsset(asset: Asset): { size: number; modified: Date } | undefined {
  const stat = statSync(asset.file, { throwIfNoEntry: false });
  return stat && { size: stat.size, modified: stat.mtime };
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

const contentTypes: Readonly<Record<string, string>> = {
  ...mimes,
  heic: 'image/heic',
  mov: 'video/quicktime',
  wav: 'audio/wav',
};

/** The media type for a file name, with the charset for text. */
export function contentType(name: string): string {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  return Object.hasOwn(contentTypes, extension)
    ? (contentTypes[extension] as string)
    : 'application/octet-stream';
}

import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../errors.ts';
import { inTransaction } from './open-database.ts';
import { isMissing, walkMediaFolder } from './walk-media-folder.ts';

/** A file of the library. */
export interface Asset {
  readonly id: number;
  /** The file's name. */
  readonly name: string;
  /** Path of its folder below the media folder, with `/`; empty at the top. */
  readonly folder: string;
  /** Path below the media folder, with `/`. */
  readonly path: string;
  /** The file has been deleted. */
  readonly gone: boolean;
}

/** An asset's file, open: what is read from it belongs to this size and hash. Close `handle`. */
export interface OpenAsset {
  readonly handle: FileHandle;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
}

export interface MediaLibrary {
  /** All assets, the gone ones included, by folder and name; new and deleted files are noticed. */
  list(): Asset[];
  /** The asset if its file is there. A file that is new, or back again, is noticed. */
  find(id: number): Asset | undefined;
  /** Whether an asset has this id or, its file being gone, had it. */
  knows(id: number): boolean;
  /** Opens an asset's file; undefined once it is gone. */
  open(asset: Asset): Promise<OpenAsset | undefined>;
}

/**
 * The library of a media folder. An id belongs to a path below the folder for good: it stays the
 * same from run to run and while the file is edited, and is never given to another path.
 *
 * @param folder The real path of the media folder.
 * @param data The data folder; where it lies in the media folder, it is left out.
 */
export function createMediaLibrary({
  database,
  folder,
  data,
}: {
  database: DatabaseSync;
  folder: string;
  data: string;
}): MediaLibrary {
  const dataFolder = realpathSync(data);
  const add = database.prepare('INSERT OR IGNORE INTO asset (path) VALUES (?)');
  const setGone = database.prepare('UPDATE asset SET gone = ? WHERE path = ? AND gone <> ?');
  const all = database.prepare('SELECT id, path, gone FROM asset ORDER BY path');
  const byId = database.prepare('SELECT id, path, gone FROM asset WHERE id = ?');
  const hashOf = database.prepare('SELECT fingerprint, sha256 FROM asset WHERE id = ?');
  const keepHash = database.prepare('UPDATE asset SET fingerprint = ?, sha256 = ? WHERE id = ?');

  const scan = (): void => {
    const present = walkMediaFolder(folder, dataFolder);
    inTransaction(database, () => {
      const known = new Map(all.all().map((row) => [String(row.path), row.gone === 1]));
      for (const path of present) {
        if (!known.has(path)) add.run(path);
        else if (known.get(path)) setGone.run(0, path, 0);
        known.delete(path);
      }
      for (const [path, gone] of known) if (!gone) setGone.run(1, path, 1);
    });
  };

  const find = (id: number): Asset | undefined => {
    let row = byId.get(id);
    if (row === undefined || row.gone === 1) {
      scan();
      row = byId.get(id);
    }
    if (row === undefined || row.gone === 1) return undefined;
    const asset = toAsset(row);
    if (isServed(folder, asset.path)) return asset;
    setGone.run(1, asset.path, 1);
    return undefined;
  };

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
    // A file touched a moment ago can change again within the clock tick of its file system.
    if (Date.now() - Number(stat.ctimeMs) > 2000) keepHash.run(fingerprint, sha256, id);
    return { ...facts, sha256 };
  };

  scan();
  return {
    list() {
      scan();
      return all.all().map(toAsset);
    },
    find,
    knows: (id) => find(id) !== undefined || byId.get(id) !== undefined,
    async open(asset) {
      const handle = await open(resolve(folder, asset.path)).catch((error: unknown) => {
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
    },
  };
}

/**
 * The real path of a media folder.
 *
 * @throws MediaAssetError `emulator-media-missing`.
 */
export function findMediaFolder(media: string): string {
  const stat = statSync(media, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) throw mediaAssetError('emulator-media-missing', { folder: media });
  return realpathSync(media);
}

/** Whether a path is a regular file inside the folder, reached through no symbolic link. */
function isServed(folder: string, path: string): boolean {
  const absolute = resolve(folder, path);
  try {
    return lstatSync(absolute).isFile() && realpathSync(absolute) === absolute;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function toAsset(row: Record<string, unknown>): Asset {
  const path = String(row.path);
  const folder = posix.dirname(path);
  return {
    id: Number(row.id),
    path,
    name: posix.basename(path),
    folder: folder === '.' ? '' : folder,
    gone: row.gone === 1,
  };
}

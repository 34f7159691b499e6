import { existsSync, realpathSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../../errors/errors.ts';
import { type Asset, assetQuery, toAsset, uploadKey } from './asset.ts';
import { isServed } from './asset-file.ts';
import { inTransaction } from './open-database.ts';
import { walkMediaFolder } from './walk-media-folder.ts';

export interface FolderRow {
  readonly id: number;
  /** Path in the media folder, with `/`. Empty for the media folder itself. */
  readonly path: string;
}

export type MediaLibrary = ReturnType<typeof createMediaLibrary>;

/**
 * A media folder and uploads (`places`: real paths). An asset's or folder's ID always belongs to
 * the same path, and is never reused. A data folder inside the media folder is left out.
 */
export function createMediaLibrary(
  database: DatabaseSync,
  places: { media: string; data: string },
) {
  const all = database.prepare(assetQuery);
  const byId = database.prepare(`${assetQuery} WHERE asset.id = ?`);
  const setGone = database.prepare('UPDATE asset SET gone = 1 WHERE id = ?');
  // `a/b` comes right after `a`, before `a b`.
  const allFolders = database.prepare(
    "SELECT id, path FROM folder WHERE gone = 0 ORDER BY replace(path, '/', char(1))",
  );
  const findFolder = (key: number | string) => {
    const column = typeof key === 'number' ? 'id' : 'path';
    const query = `SELECT id, path FROM folder WHERE ${column} = ? AND gone = 0`;
    return database.prepare(query).get(key) as FolderRow | undefined;
  };

  /** Adds what's new, and notes what's gone or back. Uploads have no path in the media folder. */
  const sync = (table: 'asset' | 'folder', paths: readonly string[]): void => {
    const present = '(SELECT value FROM json_each(?))';
    const add = `INSERT INTO ${table} (path) SELECT * FROM ${present} AS present
      WHERE value NOT IN (SELECT path FROM ${table})`;
    const turn = `UPDATE ${table} SET gone = 1 - gone
      WHERE gone = (path IN ${present}) AND path NOT LIKE '${uploadKey('%')}'`;
    for (const query of [add, turn]) database.prepare(query).run(JSON.stringify(paths));
  };
  const scan = (): void => {
    const present = walkMediaFolder(places.media, places.data);
    inTransaction(database, () => {
      sync('asset', present.files);
      sync('folder', present.folders);
    });
  };

  const read = (): Asset[] =>
    all
      .all()
      .map((row) => toAsset(row, places))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  const present = (id: number): Asset | undefined => {
    const row = byId.get(id);
    return row === undefined || row.gone === 1 ? undefined : toAsset(row, places);
  };
  /** An asset, if its file exists or its upload is pending. Notices new and restored files. */
  const record = (id: number | undefined): Asset | undefined => {
    if (id === undefined) return undefined;
    let asset = present(id);
    if (!asset) scan();
    asset ??= present(id);
    if (asset === undefined || asset.awaited !== undefined || isServed(asset.file)) return asset;
    setGone.run(id);
    return undefined;
  };
  const find = (id: number | undefined): Asset | undefined => {
    const asset = record(id);
    return asset?.awaited === undefined ? asset : undefined;
  };

  scan();
  // A sidecar with a mistake is an error at start.
  read();
  return {
    /** All assets with content, also deleted ones, by folder and name. Notices file changes. */
    list() {
      scan();
      return read().filter((asset) => asset.awaited === undefined);
    },
    /** All existing assets, including those without content yet. */
    records() {
      scan();
      return read().filter((asset) => !asset.gone);
    },
    find,
    record,
    /** Whether an asset has or had this ID. */
    knows: (id: number) => find(id) !== undefined || byId.get(id) !== undefined,
    /** The folders, each after its parent. Notices new and deleted ones. */
    folders() {
      scan();
      return allFolders.all() as unknown as FolderRow[];
    },
    /** Finds an existing folder by ID or path. Notices new ones. */
    folder(key: number | string) {
      const known = findFolder(key);
      if (known !== undefined) return known;
      scan();
      return findFolder(key);
    },
  };
}

/**
 * The real path of a media folder. The data folder, which may not exist yet, must be another one.
 * @throws `emulator-media-unusable`, `emulator-data-unusable`
 */
export function findMediaFolder(media: string, data: string): string {
  const stat = statSync(media, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const problem = 'there is no such folder';
    throw mediaAssetError('emulator-media-unusable', { folder: media, problem });
  }
  const folder = realpathSync(media);
  if (!existsSync(data) || realpathSync(data) !== folder) return folder;
  const problem = "it's the media folder";
  throw mediaAssetError('emulator-data-unusable', { folder: data, problem });
}

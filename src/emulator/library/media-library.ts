import { existsSync, realpathSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../../errors/errors.ts';
import type { EmulatorSettings } from '../settings.ts';
import { type Asset, assetQuery, toAsset } from './asset.ts';
import { createAssetOpener, isServed, type OpenAsset } from './asset-file.ts';
import { createFolderRecords, type Folder } from './folder-records.ts';
import { createIdSource, inTransaction } from './open-database.ts';
import { walkMediaFolder } from './walk-media-folder.ts';

export type { Asset, OpenAsset };

export interface MediaLibrary {
  /**
   * All assets, the gone ones included, by folder and name; new and deleted files are noticed.
   * Those that still await their content are left out.
   */
  list(): Asset[];
  /** All assets that are there, those that still await their content included. */
  records(): Asset[];
  /** The asset if its file is there. A file that is new, or back again, is noticed. */
  find(id: number | undefined): Asset | undefined;
  /** The asset if its file is there or awaited. */
  record(id: number | undefined): Asset | undefined;
  /** Whether an asset has this id or, its file being gone, had it. */
  knows(id: number): boolean;
  /** Opens an asset's file; undefined once it is gone. */
  open(asset: Asset): Promise<OpenAsset | undefined>;
  /** The folders, each after the one around it; new and deleted ones are noticed. */
  folders(): Folder[];
  /** The folder with an id, or at a path, if it is there. A new one is noticed. */
  folder(key: number | string): Folder | undefined;
}

/**
 * The library of a media folder and of what was uploaded. An id belongs to a path below the media
 * folder for good: it stays the same from run to run and while the file is edited, and is never
 * given to another path. The same holds for the ids of folders.
 *
 * @param folder The real path of the media folder.
 * @param data The real path of the data folder; where it lies in the media folder, it is left out.
 */
export function createMediaLibrary({
  database,
  folder,
  data,
  settings,
}: {
  database: DatabaseSync;
  folder: string;
  data: string;
  settings: () => Pick<EmulatorSettings, 'ids'>;
}): MediaLibrary {
  const places = { media: folder, data };
  const folders = createFolderRecords({ database, settings });
  const add = database.prepare('INSERT OR IGNORE INTO asset (id, path) VALUES (?, ?)');
  const newId = createIdSource({ database, table: 'asset', settings });
  const setGone = database.prepare('UPDATE asset SET gone = ? WHERE id = ? AND gone <> ?');
  const all = database.prepare(assetQuery);
  const byId = database.prepare(`${assetQuery} WHERE asset.id = ?`);
  const knownPaths = database.prepare(
    'SELECT id, path, gone FROM asset WHERE id NOT IN (SELECT asset FROM upload)',
  );

  const scan = (): void => {
    const present = walkMediaFolder(folder, data);
    inTransaction(database, () => {
      const known = new Map(knownPaths.all().map((row) => [String(row.path), row]));
      for (const path of present.files) {
        const row = known.get(path);
        if (row === undefined) add.run(newId(), path);
        else if (row.gone === 1) setGone.run(0, Number(row.id), 0);
        known.delete(path);
      }
      for (const row of known.values()) setGone.run(1, Number(row.id), 1);
      folders.sync(present.folders);
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
  const record = (id: number | undefined): Asset | undefined => {
    if (id === undefined) return undefined;
    let asset = present(id);
    if (asset === undefined) {
      scan();
      asset = present(id);
    }
    if (asset === undefined || asset.awaited !== undefined || isServed(asset.file)) return asset;
    setGone.run(1, id, 1);
    return undefined;
  };
  const find = (id: number | undefined): Asset | undefined => {
    const asset = record(id);
    return asset?.awaited === undefined ? asset : undefined;
  };

  scan();
  return {
    list() {
      scan();
      return read().filter((asset) => asset.awaited === undefined);
    },
    records() {
      scan();
      return read().filter((asset) => !asset.gone);
    },
    find,
    record,
    knows: (id) => find(id) !== undefined || byId.get(id) !== undefined,
    open: createAssetOpener(database),
    folders() {
      scan();
      return folders.list();
    },
    folder(key) {
      const known = folders.find(key);
      if (known !== undefined) return known;
      scan();
      return folders.find(key);
    },
  };
}

/**
 * The real path of a media folder.
 *
 * @param data The data folder, which need not be there.
 * @throws MediaAssetError `emulator-media-unusable`; `emulator-data-unusable` where both are one
 * folder: the data folder is left out, so that nothing would be left.
 */
export function findMediaFolder(media: string, data: string): string {
  const stat = statSync(media, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const problem = 'there is no such folder';
    throw mediaAssetError('emulator-media-unusable', { folder: media, problem });
  }
  const folder = realpathSync(media);
  if (existsSync(data) && realpathSync(data) === folder)
    throw mediaAssetError('emulator-data-unusable', {
      folder: data,
      problem: 'it is the media folder',
    });
  return folder;
}

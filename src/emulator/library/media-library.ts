import { existsSync, realpathSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../../errors/errors.ts';
import { type Asset, assetQuery, toAsset } from './asset.ts';
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
 * The library: a media folder and uploads. An asset's ID always belongs to the same path in the
 * media folder: it stays the same between runs and edits, and is never reused. Folders too.
 *
 * @param places real paths. The data folder is left out if it's inside the media folder
 */
export function createMediaLibrary(
  database: DatabaseSync,
  places: { media: string; data: string },
) {
  const folders = createFolderRecords(database);
  const add = database.prepare('INSERT OR IGNORE INTO asset (path) VALUES (?)');
  const setGone = database.prepare('UPDATE asset SET gone = ? WHERE id = ? AND gone <> ?');
  const all = database.prepare(assetQuery);
  const byId = database.prepare(`${assetQuery} WHERE asset.id = ?`);
  const knownPaths = database.prepare(
    'SELECT id, path, gone FROM asset WHERE id NOT IN (SELECT asset FROM upload)',
  );

  const scan = (): void => {
    const present = walkMediaFolder(places.media, places.data);
    inTransaction(database, () => {
      const known = new Map(knownPaths.all().map((row) => [String(row.path), row]));
      for (const path of present.files) {
        const row = known.get(path);
        if (row === undefined) add.run(path);
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
  /** An asset, if its file exists or its upload is pending. Notices new and restored files. */
  const record = (id: number | undefined): Asset | undefined => {
    if (id === undefined) return undefined;
    let asset = present(id);
    if (!asset) scan();
    asset ??= present(id);
    if (asset === undefined || asset.awaited !== undefined || isServed(asset.file)) return asset;
    setGone.run(1, id, 1);
    return undefined;
  };
  /** An asset, if its file exists. */
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
      return folders.list();
    },
    /** Finds an existing folder by ID or path. Notices new ones. */
    folder(key: number | string) {
      const known = folders.find(key);
      if (known !== undefined) return known;
      scan();
      return folders.find(key);
    },
  };
}

/** The folders of a library. An ID always belongs to the same path, like an asset's. */
function createFolderRecords(database: DatabaseSync) {
  const add = database.prepare('INSERT INTO folder (path) VALUES (?)');
  const setGone = database.prepare('UPDATE folder SET gone = ? WHERE path = ? AND gone <> ?');
  const everyPath = database.prepare('SELECT path FROM folder');
  // `a/b` comes right after `a`, before `a b`.
  const present = database.prepare(
    "SELECT id, path FROM folder WHERE gone = 0 ORDER BY replace(path, '/', char(1))",
  );
  const byId = database.prepare('SELECT id, path FROM folder WHERE id = ? AND gone = 0');
  const byPath = database.prepare('SELECT id, path FROM folder WHERE path = ? AND gone = 0');
  return {
    /** Updates the list of folders. */
    sync(paths: readonly string[]) {
      const known = everyPath.all().map((row) => String(row.path));
      const seen = new Set(known);
      for (const path of paths) if (!seen.has(path)) add.run(path);
      const there = new Set(paths);
      for (const path of known) {
        const gone = there.has(path) ? 0 : 1;
        setGone.run(gone, path, gone);
      }
    },
    /** All existing folders, each after its parent. */
    list: () => present.all() as unknown as FolderRow[],
    /** Finds an existing folder by ID or path. */
    find: (key: number | string) =>
      (typeof key === 'number' ? byId : byPath).get(key) as FolderRow | undefined,
  };
}

/**
 * The real path of a media folder.
 *
 * @param data folder, which may not exist yet
 * @throws MediaAssetError `emulator-media-unusable`; `emulator-data-unusable` if both folders are
 * the same, because the data folder is left out
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

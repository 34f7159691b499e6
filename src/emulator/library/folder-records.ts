import type { DatabaseSync } from 'node:sqlite';
import type { EmulatorSettings } from '../settings.ts';
import { createIdSource } from './open-database.ts';

export interface Folder {
  readonly id: number;
  /** Path below the media folder, with `/`; empty for the media folder itself. */
  readonly path: string;
}

export interface FolderRecords {
  /** Notes which folders there are; those that uploads lie in stay, with the folders around them. */
  sync(paths: readonly string[]): void;
  /** Every folder that is there, each after the one around it. */
  list(): Folder[];
  /** The folder with an id, or at a path, if it is there. */
  find(key: number | string): Folder | undefined;
}

/** The folders of a library. An id belongs to a path for good, as an asset's does. */
export function createFolderRecords({
  database,
  settings,
}: {
  database: DatabaseSync;
  settings: () => Pick<EmulatorSettings, 'ids'>;
}): FolderRecords {
  const add = database.prepare('INSERT INTO folder (id, path) VALUES (?, ?)');
  const newId = createIdSource({ database, table: 'folder', settings });
  const setGone = database.prepare('UPDATE folder SET gone = ? WHERE path = ? AND gone <> ?');
  const everyPath = database.prepare('SELECT path FROM folder');
  const inUse = database.prepare(
    `SELECT DISTINCT folder.path FROM folder JOIN asset ON asset.folder = folder.id
      WHERE asset.gone = 0`,
  );
  const present = database.prepare('SELECT id, path FROM folder WHERE gone = 0 ORDER BY path');
  const byId = database.prepare('SELECT id, path FROM folder WHERE id = ? AND gone = 0');
  const byPath = database.prepare('SELECT id, path FROM folder WHERE path = ? AND gone = 0');
  return {
    sync(paths) {
      const known = everyPath.all().map((row) => String(row.path));
      const seen = new Set(known);
      for (const path of paths) if (!seen.has(path)) add.run(newId(), path);
      const used = inUse.all().flatMap((row) => withParents(String(row.path)));
      const there = new Set([...paths, ...used]);
      for (const path of known) {
        const gone = there.has(path) ? 0 : 1;
        setGone.run(gone, path, gone);
      }
    },
    list: () => present.all().map(toFolder).sort(byPlace),
    find(key) {
      const row = typeof key === 'number' ? byId.get(key) : byPath.get(key);
      return row === undefined ? undefined : toFolder(row);
    },
  };
}

/** `a/b` as ``, `a` and `a/b`. */
function withParents(path: string): string[] {
  const steps = path === '' ? [] : path.split('/');
  return ['', ...steps.map((_, index) => steps.slice(0, index + 1).join('/'))];
}

/** Step by step, so that `a/b` comes before `a b`, right after `a`. */
function byPlace(one: Folder, other: Folder): number {
  const a = one.path.split('/').join('\0');
  const b = other.path.split('/').join('\0');
  return a < b ? -1 : a > b ? 1 : 0;
}

function toFolder(row: Record<string, unknown>): Folder {
  return { id: Number(row.id), path: String(row.path) };
}

import type { DatabaseSync } from 'node:sqlite';

export interface Folder {
  readonly id: number;
  /** Path in the media folder, with `/`. Empty for the media folder itself. */
  readonly path: string;
}

/** The folders of a library. An ID always belongs to the same path, like an asset's. */
export function createFolderRecords(database: DatabaseSync) {
  const add = database.prepare('INSERT INTO folder (path) VALUES (?)');
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
    /** Updates the list of folders. Keeps folders with uploads, and their parents. */
    sync(paths: readonly string[]) {
      const known = everyPath.all().map((row) => String(row.path));
      const seen = new Set(known);
      for (const path of paths) if (!seen.has(path)) add.run(path);
      const used = inUse.all().flatMap((row) => withParents(String(row.path)));
      const there = new Set([...paths, ...used]);
      for (const path of known) {
        const gone = there.has(path) ? 0 : 1;
        setGone.run(gone, path, gone);
      }
    },
    /** All existing folders, each after its parent. */
    list: () => (present.all() as unknown as Folder[]).sort(byPlace),
    /** Finds an existing folder by ID or path. */
    find: (key: number | string) =>
      (typeof key === 'number' ? byId : byPath).get(key) as Folder | undefined,
  };
}

/** Returns ``, `a` and `a/b` for `a/b`. */
function withParents(path: string): string[] {
  const steps = path === '' ? [] : path.split('/');
  return ['', ...steps.map((_, index) => steps.slice(0, index + 1).join('/'))];
}

/** Compares step by step, so that `a/b` comes right after `a`, before `a b`. */
function byPlace(one: Folder, other: Folder): number {
  const a = one.path.split('/').join('\0');
  const b = other.path.split('/').join('\0');
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { DatabaseSync } from 'node:sqlite';
import type { Asset, Metadata } from './asset.ts';

/** What an update changes; what is left out stays. */
export interface RecordChanges {
  readonly filename?: string;
  /** Id of the folder. */
  readonly folder?: number;
  /** Null: as the file name says. */
  readonly name?: string | null;
  /** Null takes a field away. */
  readonly metadata: Metadata;
}

/** Changes records of assets; the files themselves stay where and as they are. */
export function createRecordChanger(
  database: DatabaseSync,
): (asset: Asset, changes: RecordChanges) => void {
  const change = database.prepare(
    `UPDATE asset SET filename = coalesce(?, filename), folder = coalesce(?, folder),
        name = CASE WHEN ? THEN ? ELSE name END, metadata = ? WHERE id = ?`,
  );
  return (asset, { filename, folder, name, metadata }) => {
    const merged = Object.entries({ ...asset.metadata, ...metadata });
    change.run(
      filename ?? null,
      folder ?? null,
      name === undefined ? 0 : 1,
      name ?? null,
      JSON.stringify(Object.fromEntries(merged.filter(([, value]) => value !== null))),
      asset.id,
    );
  };
}

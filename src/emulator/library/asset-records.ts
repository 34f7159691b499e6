import { randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { hashToken } from '../auth/tokens.ts';
import { type Asset, uploadKey } from './asset.ts';
import { inTransaction } from './open-database.ts';
import type { Metadata } from './sidecars.ts';

/** What a call sets in a record. */
export interface RecordValues {
  readonly filename: string;
  readonly folder: number;
  /** `null`: the file name. */
  readonly name: string | null;
  /** `null` removes a field. */
  readonly metadata: Metadata;
}

export type RecordChanges = {
  readonly [name in keyof RecordValues]?: RecordValues[name] | undefined;
};

/** Files whose content comes later, and changes of records, never of files. */
export function createAssetRecords(database: DatabaseSync) {
  const addAsset = database.prepare(
    'INSERT INTO asset (path, filename, folder, name, metadata) VALUES (?, ?, ?, ?, ?)',
  );
  const idOf = database.prepare('SELECT id FROM asset WHERE path = ?');
  // Signatures are stored as hashes.
  const addUpload = database.prepare(
    'INSERT INTO upload (asset, size, signature) VALUES (?, ?, ?)',
  );
  const signed = database.prepare('SELECT 1 FROM upload WHERE asset = ? AND signature = ?');
  const done = database.prepare('UPDATE upload SET done = 1 WHERE asset = ?');
  const change = database.prepare(
    `UPDATE asset SET filename = coalesce(?, filename), folder = coalesce(?, folder),
        name = CASE WHEN ? THEN ? ELSE name END, metadata = ? WHERE id = ?`,
  );
  const metadataOf = database.prepare('SELECT metadata FROM asset WHERE id = ?');
  return {
    /** Adds a file of `size` bytes. `signature` allows the upload. */
    announce(size: number, { filename, folder, name, metadata }: RecordValues) {
      const signature = randomBytes(24).toString('base64url');
      const id = inTransaction(database, () => {
        const path = uploadKey(randomUUID());
        addAsset.run(path, filename, folder, name, JSON.stringify(metadata));
        const id = Number(idOf.get(path)?.id);
        addUpload.run(id, size, hashToken(signature));
        return id;
      });
      return { id, signature };
    },
    isSigned: (id: number, signature: string) => signed.get(id, hashToken(signature)) !== undefined,
    finish: (id: number) => void done.run(id),
    /** Missing values stay as they are. */
    change(asset: Asset, { filename, folder, name, metadata }: RecordChanges) {
      // `null` stays, because it also hides a field of the sidecar.
      const own = JSON.parse(String(metadataOf.get(asset.id)?.metadata ?? '{}'));
      const isNamed = name === undefined ? 0 : 1;
      const fields = JSON.stringify({ ...own, ...metadata });
      change.run(filename ?? null, folder ?? null, isNamed, name ?? null, fields, asset.id);
    },
  };
}

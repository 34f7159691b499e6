import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { hashToken } from '../auth/tokens.ts';
import { type Asset, uploadKey } from './asset.ts';
import { inTransaction } from './open-database.ts';
import type { Metadata } from './sidecars.ts';

/** A file whose content comes later. */
export interface Announced {
  readonly filename: string;
  /** In bytes. */
  readonly size: number;
  readonly folder: number;
  readonly name: string | null;
  readonly metadata: Metadata;
}

/** Signatures are stored as hashes. */
export function createUploadRecords(database: DatabaseSync) {
  const addAsset = database.prepare(
    'INSERT INTO asset (path, filename, folder, name, metadata) VALUES (?, ?, ?, ?, ?)',
  );
  const idOf = database.prepare('SELECT id FROM asset WHERE path = ?');
  const addUpload = database.prepare(
    'INSERT INTO upload (asset, size, signature) VALUES (?, ?, ?)',
  );
  const signatureOf = database.prepare('SELECT signature FROM upload WHERE asset = ?');
  const done = database.prepare('UPDATE upload SET done = 1 WHERE asset = ?');
  return {
    /** `signature` allows the upload. */
    announce({ filename, size, folder, name, metadata }: Announced) {
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
    isSigned(id: number, signature: string) {
      const row = signatureOf.get(id);
      if (row === undefined) return false;
      return timingSafeEqual(Buffer.from(String(row.signature)), Buffer.from(hashToken(signature)));
    },
    finish: (id: number) => void done.run(id),
  };
}

/** Changes of an update. Missing fields stay as they are. */
export interface RecordChanges {
  readonly filename?: string | undefined;
  readonly folder?: number | undefined;
  /** `null` resets it to the file name. */
  readonly name?: string | null | undefined;
  /** `null` removes a field. */
  readonly metadata: Metadata;
}

/** Changes the records of assets, never their files. */
export function createRecordChanger(database: DatabaseSync) {
  const change = database.prepare(
    `UPDATE asset SET filename = coalesce(?, filename), folder = coalesce(?, folder),
        name = CASE WHEN ? THEN ? ELSE name END, metadata = ? WHERE id = ?`,
  );
  const metadataOf = database.prepare('SELECT metadata FROM asset WHERE id = ?');
  return (asset: Asset, { filename, folder, name, metadata }: RecordChanges) => {
    // `null` stays, because it also hides a field of the sidecar.
    const own = JSON.parse(String(metadataOf.get(asset.id)?.metadata ?? '{}'));
    const isNamed = name === undefined ? 0 : 1;
    const fields = JSON.stringify({ ...own, ...metadata });
    change.run(filename ?? null, folder ?? null, isNamed, name ?? null, fields, asset.id);
  };
}

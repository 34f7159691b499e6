import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../errors.ts';
import { schemaVersions } from './database-schema.ts';
import { loadSqlite } from './load-sqlite.ts';

/**
 * Opens the emulator's database in a data folder, and makes both if they aren't there. A commit
 * survives the end of the process; several processes may have it open.
 *
 * @throws MediaAssetError `emulator-data-unusable` or `emulator-node-too-old`.
 */
export function openDatabase(folder: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    database = new DatabaseSync(join(folder, 'emulator.sqlite'), { timeout: 5000 });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    inTransaction(database, migrate);
    return database;
  } catch (cause) {
    database?.close();
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('emulator-data-unusable', { folder, problem }, { cause });
  }
}

/** Runs a piece of work that takes effect as a whole or not at all. */
export function inTransaction<T>(database: DatabaseSync, work: (database: DatabaseSync) => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work(database);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function migrate(database: DatabaseSync): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const newest = schemaVersions.length;
  if (found === newest) return;
  if (found > newest)
    throw new Error(`it has version ${found}, this emulator writes version ${newest}`);
  for (const step of schemaVersions.slice(found)) database.exec(step);
  database.exec(`PRAGMA user_version = ${newest}`);
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../errors.ts';
import { loadSqlite } from './load-sqlite.ts';

/** SQLITE_BUSY. */
const busy = 5;

/**
 * Takes a data folder for this emulator alone, and makes the folder if it isn't there. The lock is
 * one of the operating system, by way of SQLite: it ends with the process, however that ends.
 *
 * @returns Gives the folder free.
 * @throws MediaAssetError `emulator-data-busy`, `emulator-data-unusable` or `emulator-node-too-old`.
 */
export function lockDataFolder(folder: string): () => void {
  const { DatabaseSync } = loadSqlite();
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    lock = new DatabaseSync(join(folder, 'emulator.lock'), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === busy)
      throw mediaAssetError('emulator-data-busy', { folder }, { cause });
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('emulator-data-unusable', { folder, problem }, { cause });
  }
  const held = lock;
  return () => held.close();
}

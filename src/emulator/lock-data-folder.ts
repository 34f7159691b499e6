import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../errors.ts';
import { loadSqlite } from './load-sqlite.ts';

/** SQLITE_BUSY and SQLITE_CANTOPEN. */
const [busy, cannotOpen] = [5, 14];

/** What is wrong with a folder, by the code of the system or of SQLite. */
const problems: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'it may not be written to',
  EPERM: 'it may not be written to',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  [cannotOpen]: 'it may not be written to',
};

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
    const { code, errcode = code, message } = cause as NodeJS.ErrnoException & { errcode?: number };
    if (errcode === busy) throw mediaAssetError('emulator-data-busy', { folder }, { cause });
    const problem = problems[errcode ?? ''] ?? message;
    throw mediaAssetError('emulator-data-unusable', { folder, problem }, { cause });
  }
  const held = lock;
  return () => held.close();
}

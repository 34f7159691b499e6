import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../errors.ts';

/** The first id that a fresh library gives. */
const firstAssetId = 4711;

const version = 2;

const schema = `
  CREATE TABLE asset (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    gone INTEGER NOT NULL DEFAULT 0,
    fingerprint TEXT,
    sha256 TEXT
  ) STRICT;
  INSERT INTO sqlite_sequence (name, seq) VALUES ('asset', ${firstAssetId - 1});

  CREATE TABLE usage (
    record INTEGER PRIMARY KEY AUTOINCREMENT,
    asset INTEGER NOT NULL REFERENCES asset (id),
    contact TEXT NOT NULL,
    date TEXT NOT NULL,
    amount TEXT NOT NULL,
    description TEXT NOT NULL,
    project TEXT NOT NULL,
    type TEXT NOT NULL,
    page TEXT NOT NULL,
    page_name TEXT NOT NULL,
    created TEXT NOT NULL,
    created_by TEXT NOT NULL
  ) STRICT;
  CREATE INDEX usage_of_asset ON usage (asset, page);

  CREATE TABLE access_token (
    hash TEXT PRIMARY KEY,
    username TEXT NOT NULL,
    expires REAL NOT NULL
  ) STRICT;

  CREATE TABLE request (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    query TEXT NOT NULL,
    headers TEXT NOT NULL,
    body BLOB NOT NULL,
    status INTEGER,
    bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT;

`;

/** Version 2: what became of a request. */
const outcomes = `
  ALTER TABLE request ADD COLUMN outcome TEXT;
  ALTER TABLE request ADD COLUMN effect INTEGER;
  ALTER TABLE request ADD COLUMN fault TEXT;
  ALTER TABLE request ADD COLUMN retry_after TEXT;
  UPDATE request SET outcome = 'answered', effect = status < 400 WHERE status IS NOT NULL;
`;

/**
 * Opens the emulator's database in a data folder, and makes both if they aren't there. A commit
 * survives the end of the process; several processes may have it open.
 *
 * @throws MediaAssetError `emulator-data-unusable`.
 */
export function openDatabase(folder: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    const { DatabaseSync } = sqlite();
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
  if (found === version) return;
  if (found > version)
    throw new Error(`it has version ${found}, this emulator writes version ${version}`);
  if (found === 0) database.exec(schema);
  database.exec(outcomes);
  database.exec(`PRAGMA user_version = ${version}`);
}

/**
 * `node:sqlite` without the ExperimentalWarning that Node 22 prints for it. All other warnings,
 * experimental ones included, stay.
 */
function sqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning))) emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

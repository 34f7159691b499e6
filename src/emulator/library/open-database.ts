import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mediaAssetError } from '../../errors/errors.ts';

/** Opens the database in a data folder, and creates both. Several processes can open it. */
export function openDatabase(folder: string): DatabaseSync {
  return open(folder, 'emulator.sqlite', {
    timeout: 5000,
    start(database) {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      inTransaction(database, createTables);
    },
  });
}

/** Locks a data folder, and creates it. SQLite's lock ends with the process, even after a crash. */
export function lockDataFolder(folder: string): () => void {
  const start = (database: DatabaseSync) => database.exec('BEGIN EXCLUSIVE');
  const lock = open(folder, 'emulator.lock', { timeout: 0, start });
  return () => lock.close();
}

/** Of SQLITE_BUSY and SQLITE_CANTOPEN. */
const problems: Readonly<Record<number, string>> = {
  5: 'another emulator is using it',
  14: "it isn't writable",
};

function open(
  folder: string,
  name: string,
  { timeout, start }: { timeout: number; start: (database: DatabaseSync) => void },
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    database = new DatabaseSync(join(folder, name), { timeout });
    start(database);
    return database;
  } catch (cause) {
    database?.close();
    const { errcode = 0, message } = cause as Error & { errcode?: number };
    const problem = problems[errcode] ?? message;
    throw mediaAssetError('emulator-data-unusable', { folder, problem }, { cause });
  }
}

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

function createTables(database: DatabaseSync): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found === schemaVersion) return;
  if (found !== 0)
    throw new Error(
      `it has version ${found}, but this emulator needs version ${schemaVersion} (delete the folder to start again)`,
    );
  database.exec(schema);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}

const firstAssetId = 4711;

/** Increase it with each schema change. A database with another version is refused. */
const schemaVersion = 8;

/** An asset's name, file name and folder come from its path if they are null. */
const schema = `
  CREATE TABLE folder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE asset (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    gone INTEGER NOT NULL DEFAULT 0,
    name TEXT,
    filename TEXT,
    folder INTEGER REFERENCES folder (id),
    metadata TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
  INSERT INTO sqlite_sequence (name, seq) VALUES ('asset', ${firstAssetId - 1});

  CREATE TABLE upload (
    asset INTEGER PRIMARY KEY REFERENCES asset (id),
    size INTEGER NOT NULL,
    signature TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0
  ) STRICT;

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

  CREATE TABLE request (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    time TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    query TEXT NOT NULL,
    headers TEXT NOT NULL,
    body BLOB NOT NULL,
    status INTEGER
  ) STRICT;
`;

/** The first id that a fresh library gives. */
const firstAssetId = 4711;

/** The database's versions: each entry leads from the one before to its own, the first being 1. */
export const schemaVersions: readonly string[] = [
  `
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
  `,
  // What became of a request.
  `
  ALTER TABLE request ADD COLUMN outcome TEXT;
  ALTER TABLE request ADD COLUMN effect INTEGER;
  ALTER TABLE request ADD COLUMN fault TEXT;
  ALTER TABLE request ADD COLUMN retry_after TEXT;
  UPDATE request SET outcome = 'answered', effect = status < 400 WHERE status IS NOT NULL;
  `,
  // Folders with ids, records that can be changed, and uploads. A name, file name or folder that is
  // null follows from the path.
  `
  CREATE TABLE folder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  ALTER TABLE asset ADD COLUMN name TEXT;
  ALTER TABLE asset ADD COLUMN filename TEXT;
  ALTER TABLE asset ADD COLUMN folder INTEGER REFERENCES folder (id);
  ALTER TABLE asset ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';

  CREATE TABLE upload (
    asset INTEGER PRIMARY KEY REFERENCES asset (id),
    size INTEGER NOT NULL,
    signature TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  `,
  // What signing in by the authorization page gives out.
  `
  CREATE TABLE authorization_code (
    hash TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    username TEXT NOT NULL,
    expires REAL NOT NULL
  ) STRICT;

  CREATE TABLE refresh_token (
    hash TEXT PRIMARY KEY,
    spent INTEGER NOT NULL
  ) STRICT;
  `,
];

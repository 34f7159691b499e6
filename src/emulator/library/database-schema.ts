const firstAssetId = 4711;

/** Increase it with each schema change. A database with another version is refused. */
export const schemaVersion = 6;

/** An asset's name, file name and folder come from its path if they are null. */
export const schema = `
  CREATE TABLE folder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE asset (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    gone INTEGER NOT NULL DEFAULT 0,
    fingerprint TEXT,
    sha256 TEXT,
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

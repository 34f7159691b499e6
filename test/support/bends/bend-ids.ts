import type { DatabaseSync } from 'node:sqlite';
import type { BendSettings } from './bend-settings.ts';

/** Sets the sign of the IDs that new files and folders get. A data folder keeps it. */
export function bendIds(database: DatabaseSync, sign: BendSettings['ids']): void {
  for (const table of ['asset', 'folder']) {
    database.exec(`DROP TRIGGER IF EXISTS negative_${table}`);
    if (sign === 'negative')
      database.exec(
        `CREATE TRIGGER negative_${table} AFTER INSERT ON ${table}
          BEGIN UPDATE ${table} SET id = -new.id WHERE id = new.id; END`,
      );
  }
}

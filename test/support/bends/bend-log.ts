import type { DatabaseSync } from 'node:sqlite';
import type { CallContext } from '../../../src/emulator/emulator-state.ts';
import { type LoggedRequest, listRequests } from '../../../src/emulator/request-log.ts';
import type { FaultKind } from './faults/faults.ts';

/** A request of the emulator's log, and what a bend did with it. */
export type BentRequest = LoggedRequest & Note;

interface Note {
  /** Whether an answer was sent, complete or not. Otherwise the connection was reset. */
  readonly sent: boolean;
  /** Whether the request took effect, completely or partly; `null` until that's known. */
  readonly effect: boolean | null;
  /** Kind of the fault that affected it. */
  readonly fault: FaultKind | null;
}

export interface BendLog {
  /** Remembers something about a request until `write`. */
  note(c: CallContext, note: Partial<Note>): void;
  /** Writes a request's notes to the database. */
  write(c: CallContext, note: Partial<Note>): void;
  hadEffect(c: CallContext): boolean;
}

const table = `CREATE TABLE IF NOT EXISTS bent (
    sequence INTEGER PRIMARY KEY,
    sent INTEGER NOT NULL,
    effect INTEGER,
    fault TEXT
  ) STRICT`;

/** Notes on the requests that a bend changed, next to the emulator's own log. */
export function createBendLog(database: DatabaseSync): BendLog {
  database.exec(table);
  const add = database.prepare('INSERT OR REPLACE INTO bent VALUES (?, ?, ?, ?)');
  const notes = new WeakMap<CallContext, Partial<Note>>();
  const hadEffect = (c: CallContext): boolean => notes.get(c)?.effect ?? c.res.status < 400;
  return {
    note: (c, note) => void notes.set(c, { ...notes.get(c), ...note }),
    write(c, note) {
      // The log refused it before it had a number.
      if (c.get('sequence') === undefined) return;
      const { sent = true, effect = hadEffect(c), fault = null } = { ...notes.get(c), ...note };
      add.run(c.get('sequence'), Number(sent), effect === null ? null : Number(effect), fault);
    },
    hadEffect,
  };
}

/** The requests that an emulator with bends has logged, in order of arrival. */
export function listBentRequests(database: DatabaseSync): BentRequest[] {
  database.exec(table);
  const bent = new Map(
    database
      .prepare('SELECT * FROM bent')
      .all()
      .map((row) => [row.sequence, row]),
  );
  return listRequests(database).map((request) => {
    const { sent = 1, effect = null, fault = null } = bent.get(request.sequence) ?? {};
    return {
      ...request,
      sent: sent === 1,
      status: sent === 1 ? request.status : null,
      effect: effect === null ? null : effect === 1,
      fault: fault as Note['fault'],
    };
  });
}

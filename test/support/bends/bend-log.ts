import type { DatabaseSync } from 'node:sqlite';
import type { CallContext } from '../../../src/emulator/emulator-state.ts';
import { type LoggedRequest, listRequests } from '../../../src/emulator/request-log.ts';
import type { FaultKind } from './faults/faults.ts';

/** A request of the emulator's log, and what a bend did with it. */
export type BentRequest = LoggedRequest & Note;

interface Note {
  /**
   * How the request ended; `null` until it does, or if the emulator was killed:
   * - `answered`
   * - `reset`: the connection was reset
   * - `late`: the connection was reset, and the request takes effect later
   * - `truncated`: only a part of the answer was sent
   * - `endless`: the answer's body had no end
   */
  readonly outcome: 'answered' | 'reset' | 'late' | 'truncated' | 'endless' | null;
  /** Whether the request took effect, completely or partly; `null` until that's known. */
  readonly effect: boolean | null;
  /** Kind of the fault that affected it. */
  readonly fault: FaultKind | null;
  /** The answer's `Retry-After` header. */
  readonly retryAfter: string | null;
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
    outcome TEXT,
    effect INTEGER,
    fault TEXT,
    retry_after TEXT
  ) STRICT`;

/** Notes on the requests that a bend changed, next to the emulator's own log. */
export function createBendLog(database: DatabaseSync): BendLog {
  database.exec(table);
  const add = database.prepare('INSERT OR REPLACE INTO bent VALUES (?, ?, ?, ?, ?)');
  const notes = new WeakMap<CallContext, Partial<Note>>();
  const hadEffect = (c: CallContext): boolean => notes.get(c)?.effect ?? c.res.status < 400;
  return {
    note: (c, note) => void notes.set(c, { ...notes.get(c), ...note }),
    write(c, note) {
      // The log refused it before it had a number.
      if (c.get('sequence') === undefined) return;
      const known = { ...notes.get(c), ...note };
      const effect = known.effect === undefined ? hadEffect(c) : known.effect;
      add.run(
        c.get('sequence'),
        known.outcome ?? null,
        effect === null ? null : Number(effect),
        known.fault ?? null,
        known.outcome === 'late' ? null : c.res.headers.get('Retry-After'),
      );
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
      .map((row) => [Number(row.sequence), row]),
  );
  return listRequests(database).map((request) => {
    const row = bent.get(request.sequence);
    const { status } = request;
    if (row === undefined)
      return { ...request, outcome: null, effect: null, fault: null, retryAfter: null };
    const isSent = row.outcome !== 'reset' && row.outcome !== 'late';
    return {
      ...request,
      status: isSent ? status : null,
      outcome: row.outcome as Note['outcome'],
      effect: row.effect === null ? null : row.effect === 1,
      fault: row.fault as Note['fault'],
      retryAfter: isSent ? (row.retry_after as string | null) : null,
    };
  });
}

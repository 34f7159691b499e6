import type { DatabaseSync } from 'node:sqlite';
import { maskBody, maskHeaders, maskQuery } from './auth/mask-secrets.ts';
import type { Fault } from './faults/fault-schema.ts';

/** A request as the emulator received it, secrets masked. */
export interface LoggedRequest {
  /** Grows with each request, in the order of arrival; never starts again. */
  readonly sequence: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** By lower-case name; `authorization` is `Bearer <token>`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** The body byte for byte. Only a body that holds a secret differs from what was sent. */
  readonly rawBody: Uint8Array;
  /** Status of the answer; null while it is being made, and for ever if none was sent. */
  readonly status: number | null;
  /**
   * How it ended: answered; the connection reset; its effect left for later, the connection being
   * dropped; the answer cut short; answered by a body without end. Null while the answer is being
   * made, or for ever if the emulator was killed.
   */
  readonly outcome: Outcome | null;
  /** Whether it was carried out, in whole or in part; null as long as that is open. */
  readonly effect: boolean | null;
  /** The kind of the fault that it met. */
  readonly fault: Fault['kind'] | null;
  /** The header `Retry-After` of its answer. */
  readonly retryAfter: string | null;
  /** Size of the answer's body in bytes, 0 for one without end; a client that hangs up takes less. */
  readonly bytes: number;
}

export type Outcome = 'answered' | 'reset' | 'late' | 'truncated' | 'endless';

/** What became of a request. */
export type Ending = Pick<
  LoggedRequest,
  'status' | 'outcome' | 'effect' | 'fault' | 'retryAfter' | 'bytes'
>;

export interface RequestLog {
  /** Notes a request on its arrival; gives its sequence number. */
  arrived(request: {
    method: string;
    path: string;
    query: string;
    headers: Readonly<Record<string, string>>;
    body: Uint8Array;
  }): number;
  /** Notes what becomes of a request, just before it happens. */
  ended(sequence: number, ending: Ending): void;
  /** Notes that the connection is dropped, and that the request is still to take effect. */
  late(sequence: number): void;
  list(): LoggedRequest[];
  /** Deletes every entry; the numbers go on. */
  clear(): void;
}

/** The raw log of requests: each is on disk before its answer is sent. */
export function createRequestLog({
  database,
  clock,
}: {
  database: DatabaseSync;
  clock: () => number;
}): RequestLog {
  const add = database.prepare(
    'INSERT INTO request (time, method, path, query, headers, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const finish = database.prepare(
    `UPDATE request SET status = ?, outcome = ?, effect = ?, fault = ?, retry_after = ?, bytes = ?
      WHERE sequence = ?`,
  );
  const ended: RequestLog['ended'] = (sequence, ending) => {
    const { status, outcome, effect, fault, retryAfter, bytes } = ending;
    const known = effect === null ? null : Number(effect);
    finish.run(status, outcome, known, fault, retryAfter, bytes, sequence);
  };
  return {
    arrived({ method, path, query, headers, body }) {
      const { lastInsertRowid } = add.run(
        new Date(clock()).toISOString(),
        method,
        path,
        maskQuery(query),
        JSON.stringify(maskHeaders(headers)),
        maskBody(body, headers['content-type'] ?? ''),
      );
      return Number(lastInsertRowid);
    },
    ended,
    late: (sequence) =>
      ended(sequence, {
        status: null,
        outcome: 'late',
        effect: null,
        fault: 'late',
        retryAfter: null,
        bytes: 0,
      }),
    list: () => listRequests(database),
    clear() {
      database.exec('DELETE FROM request');
    },
  };
}

/** All logged requests, in the order of arrival. */
export function listRequests(database: DatabaseSync): LoggedRequest[] {
  return database
    .prepare('SELECT * FROM request ORDER BY sequence')
    .all()
    .map((row) => {
      const rawBody = row.body as Uint8Array;
      return {
        sequence: Number(row.sequence),
        time: String(row.time),
        method: String(row.method),
        path: String(row.path),
        query: String(row.query),
        headers: JSON.parse(String(row.headers)) as Record<string, string>,
        body: new TextDecoder().decode(rawBody),
        rawBody,
        status: row.status === null ? null : Number(row.status),
        outcome: row.outcome as Outcome | null,
        effect: row.effect === null ? null : row.effect === 1,
        fault: row.fault as Fault['kind'] | null,
        retryAfter: row.retry_after === null ? null : String(row.retry_after),
        bytes: Number(row.bytes),
      };
    });
}

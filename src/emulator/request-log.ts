import type { DatabaseSync } from 'node:sqlite';
import { maskBody, maskHeaders, maskQuery } from './mask-secrets.ts';

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
  /** Status of the answer; null while it is being made, and for ever if the emulator was killed. */
  readonly status: number | null;
  /** Size of the answer's body in bytes; a client that hangs up takes less. */
  readonly bytes: number;
}

export interface RequestLog {
  /** Notes a request on its arrival; gives its sequence number. */
  arrived(request: {
    method: string;
    path: string;
    query: string;
    headers: Readonly<Record<string, string>>;
    body: Uint8Array;
  }): number;
  /** Notes the answer, just before it is sent. */
  answered(sequence: number, answer: { status: number; bytes: number }): void;
  list(): LoggedRequest[];
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
  const finish = database.prepare('UPDATE request SET status = ?, bytes = ? WHERE sequence = ?');
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
    answered(sequence, { status, bytes }) {
      finish.run(status, bytes, sequence);
    },
    list: () => listRequests(database),
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
        bytes: Number(row.bytes),
      };
    });
}

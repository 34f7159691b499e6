import type { DatabaseSync } from 'node:sqlite';

/** A request as received, without its secrets. */
export interface LoggedRequest {
  /** Increases with each request, in order of arrival. Never restarts. */
  readonly sequence: number;
  /** In ISO 8601 and UTC. */
  readonly time: string;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the question mark. `<left out>` if it may hold secrets. */
  readonly query: string;
  /** With lower-case names. `authorization` is `Bearer <token>`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** The body's bytes as sent. `<left out>` for a sign-in. */
  readonly rawBody: Uint8Array;
  /** Status of the answer; `null` until there is one, or if the emulator was killed. */
  readonly status: number | null;
}

type Arrived = Pick<LoggedRequest, 'method' | 'path' | 'query' | 'headers'> & { body: Uint8Array };

/** The raw log of requests. Each one is on disk before its answer is sent. */
export function createRequestLog(database: DatabaseSync, clock: () => number) {
  const add = database.prepare(
    'INSERT INTO request (time, method, path, query, headers, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const finish = database.prepare('UPDATE request SET status = ? WHERE sequence = ?');
  return {
    arrived(arrival: Arrived) {
      const { method, path, query, headers, body } = withoutSecrets(arrival);
      const time = new Date(clock()).toISOString();
      const { lastInsertRowid } = add.run(time, method, path, query, JSON.stringify(headers), body);
      return Number(lastInsertRowid);
    },
    ended: (sequence: number, status: number) => void finish.run(status, sequence),
    list: () => listRequests(database),
    /** Deletes all entries. Sequence numbers continue. */
    clear: () => database.exec('DELETE FROM request'),
  };
}

export function listRequests(database: DatabaseSync): LoggedRequest[] {
  const rows = database.prepare('SELECT * FROM request ORDER BY sequence').all();
  return rows.map((row) => {
    const rawBody = row.body as Uint8Array;
    const headers = JSON.parse(String(row.headers));
    // The columns have the names and types of the fields.
    return { ...row, headers, body: new TextDecoder().decode(rawBody), rawBody } as LoggedRequest;
  });
}

/** Calls without secrets. Others are sign-ins, signed uploads, or mistakes with credentials. */
const openPaths = /^\/1\/(file|files|folder|foldertree|search)(\/|$)/;

const leftOut = '<left out>';

/** Leaves out the query and body of calls that may hold secrets, and all credentials in headers. */
function withoutSecrets({ headers, query, body, ...others }: Arrived): Arrived {
  const masked = { ...headers };
  for (const name of ['authorization', 'proxy-authorization', 'cookie']) {
    const value = masked[name];
    if (value) masked[name] = `${/^(Bearer|Basic) /i.exec(value)?.[0] ?? ''}<token>`;
  }
  if (openPaths.test(others.path)) return { ...others, headers: masked, query, body };
  const shown = body.length === 0 ? body : new TextEncoder().encode(leftOut);
  return { ...others, headers: masked, query: query && leftOut, body: shown };
}

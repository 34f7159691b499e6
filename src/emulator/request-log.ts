import type { DatabaseSync } from 'node:sqlite';

/** A request as received, with its secrets masked. */
export interface LoggedRequest {
  /** Increases with each request, in order of arrival. Never restarts. */
  readonly sequence: number;
  /** In ISO 8601 and UTC. */
  readonly time: string;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** With lower-case names. `authorization` is `Bearer <token>`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** The body's bytes, as sent unless they contain a secret. */
  readonly rawBody: Uint8Array;
  /** Status of the answer; `null` until there is one, or if the emulator was killed. */
  readonly status: number | null;
}

type Arrival = Pick<LoggedRequest, 'method' | 'path' | 'query' | 'headers'> & { body: Uint8Array };

/** The raw log of requests. Each one is on disk before its answer is sent. */
export function createRequestLog(database: DatabaseSync, clock: () => number) {
  const add = database.prepare(
    'INSERT INTO request (time, method, path, query, headers, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const finish = database.prepare('UPDATE request SET status = ? WHERE sequence = ?');
  return {
    arrived({ method, path, query, headers, body }: Arrival) {
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
    ended: (sequence: number, status: number) => void finish.run(status, sequence),
    list: () => listRequests(database),
    /** Deletes all entries. Sequence numbers continue. */
    clear: () => database.exec('DELETE FROM request'),
  };
}

export function listRequests(database: DatabaseSync): LoggedRequest[] {
  return database
    .prepare('SELECT * FROM request ORDER BY sequence')
    .all()
    .map((row) => {
      const rawBody = row.body as Uint8Array;
      const headers = JSON.parse(String(row.headers));
      // The columns have the names and types of the fields.
      return { ...row, headers, body: new TextDecoder().decode(rawBody), rawBody } as LoggedRequest;
    });
}

const secretNames = new Set([
  'client_secret',
  'password',
  'refresh_token',
  'access_token',
  'code',
  'signature',
]);

/** A body without any of these holds no secret and is logged as received. */
const mentionsSecret = /client_secret|password|refresh_token|access_token|\bcode\b/i;

export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const masked = { ...headers };
  for (const name of ['authorization', 'proxy-authorization'])
    if (masked[name] !== undefined) masked[name] = maskAuthorization(masked[name]);
  if (masked.cookie !== undefined) masked.cookie = '<cookie>';
  return masked;
}

/** Masks secrets in a query: `a=1&password=x` becomes `a=1&password=<password>`. */
export function maskQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = decodeForm(equals < 0 ? pair : pair.slice(0, equals));
      return equals >= 0 && secretNames.has(name) ? `${pair.slice(0, equals)}=<${name}>` : pair;
    })
    .join('&');
}

export function maskBody(body: Uint8Array, contentType: string): Uint8Array {
  const text = new TextDecoder().decode(body);
  if (!mentionsSecret.test(decodeForm(text))) return body;
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase();
  const masked = kind === 'application/json' ? maskJson(text) : maskQuery(text);
  return masked === text ? body : new TextEncoder().encode(masked);
}

function maskAuthorization(value: string): string {
  const scheme = value.match(/^(Bearer|Basic) /i)?.[1];
  if (scheme === undefined) return '<authorization>';
  return `${scheme} ${scheme.toLowerCase() === 'bearer' ? '<token>' : '<credentials>'}`;
}

function maskJson(text: string): string {
  let found = false;
  try {
    const masked = JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (!secretNames.has(name)) return value;
      found = true;
      return `<${name}>`;
    });
    return found ? masked : text;
  } catch {
    // JSON that can't be parsed can't be masked in part.
    return '<unreadable>';
  }
}

function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Many clients skip the encoding.
    return text;
  }
}

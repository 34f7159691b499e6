import { readFile } from 'node:fs/promises';

/** A request of `fixtures/wire/` with its placeholders filled in. */
export interface WireFixture {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
  /** By lower-case name. Only the relevant ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WireValue = string | number | readonly number[];

/** Reads `fixtures/wire/<name>.http`. Throws for a placeholder or a value without the other. */
export async function readWire(
  name: string,
  values: Readonly<Record<string, WireValue>>,
): Promise<WireFixture> {
  const file = new URL(`../../../fixtures/wire/${name}.http`, import.meta.url);
  const text = (await readFile(file, 'utf8')).replace(/^(?:#.*\n)*/, '').replace(/\n$/, '');
  const end = text.includes('\n\n') ? text.indexOf('\n\n') : text.length;
  const [requestLine = '', ...headerLines] = text.slice(0, end).trimEnd().split('\n');
  const body = text.slice(end + 2);

  const unused = new Set(Object.keys(values));
  function fill(part: string, write: (value: string) => string): string {
    return part.replace(/\{([a-z_0-9]+)\}/g, (_, key: string) => {
      const value = values[key];
      if (value === undefined) throw new Error(`${name}.http: {${key}} has no value`);
      unused.delete(key);
      return write(typeof value === 'object' ? value.join(',') : String(value));
    });
  }

  const [method = '', target = ''] = fill(requestLine, encodeURIComponent).split(' ');
  const headers = Object.fromEntries(
    headerLines.map((line) => {
      const [header = '', value = ''] = line.split(/: (.*)/);
      return [header.toLowerCase(), fill(value, (plain) => plain)];
    }),
  );
  const form = headers['content-type'] === 'application/x-www-form-urlencoded';
  const filled = fill(body, form ? formText : jsonText);
  if (unused.size > 0) throw new Error(`${name}.http has no {${[...unused].join('}, {')}}`);
  const [path = '', query = ''] = target.split('?');
  return { method, target, path, query, headers, body: filled };
}

function jsonText(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function formText(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

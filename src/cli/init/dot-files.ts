import { isDeepStrictEqual, parseEnv } from 'node:util';
import { wrong } from '../command-options.ts';

/**
 * Sets variables in the text of an `.env` file. All other lines stay as they are, and the file keeps
 * its line ends.
 *
 * @throws `command-usage` for a value that no `.env` file can hold
 */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = parseEnv(text);
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  for (const [name, value] of Object.entries(values)) {
    if (before[name] === value) continue;
    const line = `${name}=${quoted(name, value)}`;
    const at = lines.findLastIndex((one) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(one));
    if (at === -1) lines.push(line);
    else lines[at] = line;
  }
  if (lines.length === 0) return text;
  const after = lines.map((line) => line + end).join('');
  if (isDeepStrictEqual({ ...parseEnv(after) }, { ...before, ...values })) return after;
  return wrong("The .env file has a value of several lines that init can't work around.");
}

/** Without quotes if they aren't needed, else in the first kind that a parser reads back as the value. */
function quoted(name: string, value: string): string {
  const forms = ['', "'", '"', '`'].map((quote) => `${quote}${value}${quote}`);
  const form = forms.find((one) => parseEnv(`${name}=${one}\nEND=1`)[name] === value);
  if (form !== undefined && !/[\r\n]/.test(value)) return form;
  const problem = `${name} has a line break or all three kinds of quotes, which an .env file can't hold.`;
  return wrong(problem);
}

/** Adds the lines that a `.gitignore` doesn't have. */
export function ignoreFiles(text: string, wanted: readonly string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const plain = (line: string) => line.trim().replace(/^\/|\/$/g, '');
  const known = new Set(text.split('\n').map(plain));
  const missing = wanted.filter((line) => !known.has(plain(line)));
  if (missing.length === 0) return text;
  const start = text === '' || text.endsWith('\n') ? text : text + end;
  return start + missing.map((line) => line + end).join('');
}

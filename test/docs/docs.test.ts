import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generatedDocs } from '../../scripts/generated-docs.ts';
import { catalogue } from '../../src/errors/error-catalogue.ts';
import { removalsAlwaysAllowed } from '../support/ledger/usage-fixtures.ts';

const read = (path: string) =>
  readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

test.each(await generatedDocs(read))(
  '%s says what the code says (else: npm run docs)',
  async (path, text) => {
    expect(await read(path)).toBe(text);
  },
);

test.each(['docs/guides/reporting.md', 'docs/editors.md'])(
  "%s states the guard's limit as the code has it",
  async (path) => {
    const limits = [...(await read(path)).matchAll(/would remove more than (\S+)/g)];
    expect(limits.map(([, limit]) => limit)).toEqual([String(removalsAlwaysAllowed)]);
  },
);

test('every code has a heading, a message with placeholders, and a fix', async () => {
  const page = await read('docs/reference/errors.md');
  const [, ...sections] = page.split(/^### /m);
  expect(sections.map((section) => section.split('\n', 1)[0]).sort()).toEqual(
    Object.keys(catalogue).sort(),
  );
  for (const section of sections) {
    expect(section).toMatch(/^\S+\n\n {4}\S.*\n\n.*\*\*Fix:\*\* \S/s);
    expect(section).not.toMatch(/undefined|\bNaN\b|\[object /);
  }
});

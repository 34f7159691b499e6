import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generatedDocs } from '../../scripts/generated-docs.ts';

const read = (path: string) =>
  readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

test.each(await generatedDocs(read))(
  '%s says what the code says (else: npm run docs)',
  async (path, text) => {
    expect(await read(path)).toBe(text);
  },
);

import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

test('the script for Decap and Sveltia has at most 25 kB, and loads no other file', async () => {
  const code = await readFile(new URL('../../../dist/cms/decap.js', import.meta.url), 'utf8');
  expect(gzipSync(code).length).toBeLessThanOrEqual(25_000);
  expect(gzipSync(code).length).toBeGreaterThan(5000);
  expect(code).not.toMatch(/\bimport\s*[("'{*]/);
  expect(code).toMatch(/export\s*\{\w+ as registerMediaAsset\}/);
});

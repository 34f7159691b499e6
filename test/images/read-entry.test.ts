import { createHash } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cacache from 'cacache';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEntry } from '../../src/images/read-entry.ts';

const { bucketPath } = createRequire(import.meta.url)('cacache/lib/entry-index.js') as {
  bucketPath(folder: string, key: string): string;
};

describe('readEntry', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-entry-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const expectSame = async (key: string) => {
    const info = await cacache.get.info(folder, key);
    const entry = readEntry(folder, key);
    if (!info) expect(entry).toBeUndefined();
    else {
      const { integrity, size, metadata } = info;
      expect(entry).toMatchObject({ integrity, size });
      expect(entry?.metadata).toEqual(metadata);
    }
    return entry;
  };

  test('gives what cacache gives, whatever was put, put over and deleted', async () => {
    const key = fc.constantFrom('a', 'rendition|4711-0-0.webp', 'https://dam.example/ ü\n\t', '');
    const step = fc.oneof(
      fc.record({ key, text: fc.string(), metadata: fc.option(fc.jsonValue()) }),
      fc.record({ key, remove: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        for (const one of steps) {
          if ('remove' in one) await cacache.rm.entry(folder, one.key);
          else await cacache.put(folder, one.key, one.text, { metadata: one.metadata });
          await expectSame(one.key);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('gives the line before one that a crash has cut short', async () => {
    await cacache.put(folder, 'a', 'first', { metadata: { version: 1 } });
    await appendFile(bucketPath(folder, 'a'), '\n0123\t{"key":"a","integ');
    expect(await expectSame('a')).toMatchObject({ metadata: { version: 1 } });
  });

  test('gives nothing of another key in the same file', async () => {
    await cacache.put(folder, 'a', 'first');
    const line = '{"key":"b","integrity":"sha512-x","size":1}';
    const sum = createHash('sha1').update(line).digest('hex');
    await appendFile(bucketPath(folder, 'a'), `\n${sum}\t${line}`);
    expect(await expectSame('a')).toMatchObject({ size: 5 });
  });

  test('fails where the file cannot be read', async () => {
    await cacache.put(folder, 'a', 'first');
    const path = bucketPath(folder, 'a');
    await rm(path);
    await mkdir(path, { recursive: true });
    expect(() => readEntry(folder, 'a')).toThrow('EISDIR');
  });
});

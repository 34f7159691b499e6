import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Catalogue, openCatalogue } from '../../src/assets/store/catalogue.ts';
import { readCatalogue } from '../../src/assets/store/read-catalogue.ts';
import type { Finding } from '../../src/errors/errors.ts';
import { cacheFolder } from './open-images.ts';

const day = 24 * 60 * 60 * 1000;
const service = 'https://dam.example';

function open(cacheDir: string, now = day, findings: Finding[] = []): Catalogue {
  return openCatalogue({ cacheDir, clock: () => now, onFinding: (one) => findings.push(one) });
}

function issue(catalogue: Catalogue, id: number, name = 'a'): string {
  const key = `${id}-${'0'.repeat(16)}-${'1'.repeat(16)}.webp`;
  catalogue.issueRendition(key, {
    source: { reference: { kind: 'original', service, id }, hash: 'ab'.repeat(32) },
    corner: { x: 0, y: 0 },
    rectangle: { x: 0, y: 0, width: 20, height: 10 },
    width: 10,
    height: 5,
    recipe: {
      format: 'webp',
      quality: 75,
      effort: 4,
      animated: false,
      gamut: 'srgb',
      background: 'red',
    },
    customFormatUrl: null,
    originalUrl: `${service}/1/file/${id}/download/0`,
    path: `media-asset/${key.replace('.webp', `/${name}.webp`)}`,
  });
  return key;
}

const idsOf = (cacheDir: string) => readCatalogue(cacheDir).map(({ id }) => id);

test('the next process finds issued renditions with their sources', async () => {
  const cacheDir = await cacheFolder();
  const catalogue = open(cacheDir);
  const key = issue(catalogue, 4711, 'quay');
  await catalogue.save();
  expect(open(cacheDir).rendition(key)).toEqual(catalogue.rendition(key));
  expect(readCatalogue(cacheDir)).toEqual([
    {
      id: 4711,
      path: `media-asset/4711-${'0'.repeat(16)}-${'1'.repeat(16)}/quay.webp`,
      url: null,
      customFormatUrl: null,
      originalUrl: 'https://dam.example/1/file/4711/download/0',
      source: 'original',
      sourceHash: 'ab'.repeat(32),
      rectangle: { x: 0, y: 0, width: 20, height: 10 },
      width: 10,
      height: 5,
      format: 'webp',
      quality: 75,
      effort: 4,
      lastUsed: '1970-01-02T00:00:00.000Z',
    },
  ]);
});

test('two processes that save one after the other keep the entries of both', async () => {
  const cacheDir = await cacheFolder();
  const [one, other] = [open(cacheDir), open(cacheDir)];
  issue(one, 1);
  issue(other, 2);
  await one.save();
  await other.save();
  expect(idsOf(cacheDir)).toEqual([1, 2]);
});

test("a withdrawn asset doesn't come back with another process's entries", async () => {
  const cacheDir = await cacheFolder();
  const first = open(cacheDir);
  issue(first, 1);
  issue(first, 2);
  await first.save();
  const [one, other] = [open(cacheDir), open(cacheDir)];
  one.drop(service, 1);
  await other.save();
  await one.save();
  expect(idsOf(cacheDir)).toEqual([2]);
});

test('entries that no build has used for 30 days are dropped', async () => {
  const cacheDir = await cacheFolder();
  const first = open(cacheDir, 0);
  const used = issue(first, 1);
  issue(first, 2);
  await first.save();
  const second = open(cacheDir, 20 * day);
  second.markUsed(used);
  await second.save();
  expect(idsOf(cacheDir)).toEqual([1, 2]);
  await open(cacheDir, 31 * day).save();
  expect(idsOf(cacheDir)).toEqual([1]);
});

test("the last build's assets don't include those of earlier builds", async () => {
  const cacheDir = await cacheFolder();
  const first = open(cacheDir, day);
  const [kept] = [issue(first, 1), issue(first, 2)];
  first.endBuild();
  await first.save();
  const second = open(cacheDir, 2 * day);
  expect([...second.usedByLastBuild(service).keys()]).toEqual([1, 2]);
  second.markUsed(kept);
  second.endBuild();
  await second.save();
  const third = open(cacheDir, 3 * day);
  expect([...third.usedByLastBuild(service).keys()]).toEqual([1]);
  expect(third.usedByLastBuild('https://other.example').size).toBe(0);
});

test('a page that shows a new version early still renews the pages of earlier builds', async () => {
  const cacheDir = await cacheFolder();
  const url = `${service}/1/file/1/download/0`;
  const show = (catalogue: Catalogue, hash: string) =>
    catalogue.issueLink(url, {
      source: { reference: { kind: 'original', service, id: 1 }, hash },
      rectangle: { x: 0, y: 0, width: 20, height: 10 },
      customFormatUrl: null,
      originalUrl: url,
    });
  const first = open(cacheDir, day);
  show(first, 'ab'.repeat(32));
  first.endBuild();
  await first.save();
  const second = open(cacheDir, 2 * day);
  show(second, 'cd'.repeat(32));
  second.noteVersions(service, () => 'cd'.repeat(32));
  expect(second.epoch()).not.toBe(first.epoch());
});

describe("a catalogue that can't be read", () => {
  test.each([
    ['is empty', '', "it isn't valid JSON"],
    ['is truncated', '{ "version": 3, "ren', "it isn't valid JSON"],
    ['has another version', '{ "version": 2 }', 'it has version 2'],
    ['lacks its properties', '{ "version": 3 }', 'unexpected value at epoch, changes, lastBuild'],
    ['is a list', '[]', 'unexpected value at top level'],
    ['is null', 'null', 'unexpected value at top level'],
  ])('because it %s is replaced, with a warning', async (_, text, problem) => {
    const cacheDir = await cacheFolder();
    const path = join(cacheDir, 'catalogue.json');
    await writeFile(path, text);
    expect(() => readCatalogue(cacheDir)).toThrow(
      expect.objectContaining({ code: 'catalogue-broken' }),
    );
    const findings: Finding[] = [];
    const catalogue = open(cacheDir, day, findings);
    expect(findings).toMatchObject([
      { code: 'catalogue-broken', severity: 'warning', place: path },
    ]);
    expect(findings[0]?.message).toContain(problem);
    issue(catalogue, 1);
    await catalogue.save();
    expect(idsOf(cacheDir)).toEqual([1]);
  });

  test('because there is none starts empty', async () => {
    const cacheDir = await cacheFolder();
    const findings: Finding[] = [];
    open(cacheDir, day, findings);
    expect(readCatalogue(cacheDir)).toEqual([]);
    expect(findings).toEqual([]);
  });
});

test('the file is complete JSON, and no temporary file stays next to it', async () => {
  const cacheDir = await cacheFolder();
  const catalogue = open(cacheDir);
  issue(catalogue, 1);
  await Promise.all([catalogue.save(), catalogue.save()]);
  expect(await readdir(cacheDir)).toEqual(['catalogue.json']);
  expect(JSON.parse(await readFile(join(cacheDir, 'catalogue.json'), 'utf8'))).toMatchObject({
    version: 3,
  });
});

test("the name of an object property isn't a rendition", async () => {
  expect(open(await cacheFolder()).rendition('constructor')).toBeUndefined();
});

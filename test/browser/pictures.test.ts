/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf, type PictureFacts, walkThrough } from '../../scripts/pictures/picture.ts';
import { canDraw, pictures } from '../../scripts/pictures/pictures.ts';
import { openStage, type Stage } from '../../scripts/pictures/stage.ts';
import { drawTerminals } from '../../scripts/pictures/terminal-pictures.ts';
import { describeInBrowser } from '../support/browser/browser-tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = join(root, 'docs');
const facts = join(root, 'fixtures/pictures');
const factsOf = async (name: string): Promise<PictureFacts> =>
  JSON.parse(await readFile(join(facts, `${name}.json`), 'utf8'));

// After a change of what people see: npm run docs:pictures
describeInBrowser('the images of the docs', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage({ withFiles: false });
  });

  afterAll(() => stage?.close());

  test.for(pictures.filter(canDraw).map((picture) => [picture.name, picture] as const))(
    '%s shows what the product shows',
    async ([name, picture]) => {
      const { frames } = await walkThrough(picture, stage, false);
      expect(frames).toEqual((await factsOf(name)).frames);
    },
  );

  test('terminals show what commands print', async () => {
    await stage.endDev();
    for (const [file, drawn] of Object.entries(await drawTerminals(stage))) {
      expect(drawn).toBe(await readFile(join(docs, file), 'utf8'));
    }
  });
});

test('each image of the docs is one that a script has drawn', async () => {
  const drawn = await Promise.all(pictures.map(async ({ name }) => (await factsOf(name)).files));
  const images = await fastGlob('**/*.{png,webp,jpg,gif}', { cwd: docs });
  const digests = images.map(async (file) => [file, digestOf(await readFile(join(docs, file)))]);
  expect(Object.fromEntries(await Promise.all(digests))).toEqual(Object.assign({}, ...drawn));
});

test('no line of a terminal is wider than its frame', async () => {
  for (const file of await fastGlob('*.svg', { cwd: docs })) {
    const svg = await readFile(join(docs, file), 'utf8');
    const [, width] = /<svg [^>]*width="(\d+)"/.exec(svg) ?? [];
    const lines = [...svg.matchAll(/<text x="(\d+)"[^>]* textLength="([\d.]+)"/g)];
    expect(lines.length).toBe(svg.split('<text ').length - 1);
    const ends = lines.map(([, x, length]) => 2 * Number(x) + Number(length));
    expect(Math.max(...ends)).toBeLessThanOrEqual(Number(width));
  }
});

/** @module-tag slow */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { astroHas } from '../../support/site/astro-major.ts';
import { astroConfig, astroPage, twoLanguages } from '../../support/site/site-files.ts';
import { outputOf, type Snapshot, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('incremental');
let built: Snapshot;

beforeAll(async () => {
  await setup.build();
  built = await setup.snapshot();
});

beforeEach(() => setup.restore(built));

/** The size of a built page's image. Fails if the output lacks the image. */
async function imageOf(page: string): Promise<{ src: string; size: number }> {
  const html = await setup.site.read(`dist/${page}/index.html`);
  const src = /src="([^"]+)"/.exec(html)?.[1] ?? '';
  return { src, size: (await stat(join(setup.site.dist, src))).size };
}

describe.runIf(astroHas('incremental builds'))('with incremental builds', () => {
  test('the output has the images of a page that Astro skips', async () => {
    const before = await imageOf('aurora');
    const { output } = await setup.buildAlone();

    expect(output).toMatch(/aurora\/index\.html \(restored\)/);
    expect(await imageOf('aurora')).toEqual(before);
    expect((await imageOf('borea')).size).toBeGreaterThan(0);
  });

  test('a skipped page keeps its images if another page is rendered again', async () => {
    await setup.site.edit(
      'src/boats.json',
      '"id": 4712, "digest": "1"',
      '"id": 4713, "digest": "2"',
    );
    // A process reads an imported file once.
    const { output } = await setup.buildAlone();

    expect(output).toMatch(/aurora\/index\.html \(restored\)/);
    expect(output).not.toMatch(/borea\/index\.html \(restored\)/);
    expect((await imageOf('aurora')).size).toBeGreaterThan(0);
    expect((await imageOf('borea')).src).toContain('/4713-');
    expect(setup.pairs()).toEqual([
      '4711 https://harbour.example/aurora/',
      '4713 https://harbour.example/borea/',
    ]);
  });

  test('pages and Markdown that Astro keeps lose an asset once their own language forbids it', async () => {
    const options = `{
  record: {
    fields: ['name'],
    read: (_, { locale }) => ({ alt: 'in ' + locale }),
  },
  rights: {
    fields: ['notIn'],
    optional: ['notIn'],
    read: ({ notIn }, { language }) => ({ state: notIn === language ? 'forbidden' : 'allowed' }),
    forbidden: 'hide',
  },
}`;
    const settings = `${twoLanguages} experimental: { incrementalBuild: true },`;
    await setup.site.write('astro.config.mjs', astroConfig(options, settings));
    const script = "export const getStaticPaths = () => [{ params: { x: 'x' }, cacheKey: '1' }];";
    const image = astroPage('<MediaAsset id={4711} lang="fr" />', { script });
    const entries = `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
export const collections = { notes: defineCollection({ loader: glob({ base: './src/notes', pattern: '**/*.md' }) }) };
`;
    await setup.site.write('src/content.config.ts', entries);
    for (const language of ['en', 'de']) {
      const folder = language === 'de' ? 'de/' : '';
      await setup.site.write(`src/pages/${folder}kept/[x].astro`, image);
      await setup.site.write(`src/notes/${language}/note.md`, '![](media:4711)');
      const entry = `---
import { getEntry, render } from 'astro:content';
const { Content } = await render(await getEntry('notes', '${language}/note'));
---
<Content />`;
      await setup.site.write(`src/pages/${folder}note.astro`, entry);
    }
    const service = emulatorClient(setup.emulator);
    const shown = async (notIn: string) => {
      await service.files.update(4711, { notIn });
      const output = await outputOf(setup.buildAlone());
      const isKept = /kept\/x\/index\.html \(restored\)/.test(output);
      const files = ['kept/x', 'note', 'de/kept/x', 'de/note'];
      const texts = files.map((file) => setup.site.read(`dist/${file}/index.html`));
      const named = (await Promise.all(texts)).map((text) => /media-asset\/4711-/.test(text));
      return `${isKept ? 'kept: ' : ''}${files.filter((_, at) => named[at]).join(' ')}`;
    };
    expect(await shown('')).toBe('kept/x note de/kept/x de/note');
    expect(await shown('')).toBe('kept: kept/x note de/kept/x de/note');
    expect(await shown('de')).toBe('kept/x note');
    expect(await shown('en')).toBe('de/kept/x de/note');
    // Only the language of texts forbids it.
    expect(await shown('fr')).toBe('kept/x note de/kept/x de/note');
  });

  test('a list of credits that Astro skips names the assets of this build', async () => {
    const script = `export function getStaticPaths() {
  return [{ params: { list: 'credits' }, cacheKey: '1' }];
}`;
    const credits = astroPage('<MediaCredits />', { script });
    await setup.site.write('src/pages/all/[list].astro', credits);
    const record = "mediaAsset({ record: { fields: ['name'], read: () => ({}) } })";
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', record);
    const listed = async () => {
      const html = await setup.site.read('dist/all/credits/index.html');
      return [...html.matchAll(/media-credit-(\d+)/g)].map(([, id]) => Number(id));
    };
    await setup.buildAlone();
    expect(await listed()).toEqual([4711, 4712]);
    for (const [from, to] of [
      ['4712, "digest": "1"', '4713, "digest": "2"'],
      ['4711, "digest": "1"', '4714, "digest": "2"'],
    ] as const) {
      await setup.site.edit('src/boats.json', `"id": ${from}`, `"id": ${to}`);
      const { output } = await setup.buildAlone();
      expect(output).toMatch(/credits\/index\.html \(restored\)/);
    }
    expect(await listed()).toEqual([4713, 4714]);
    expect(setup.pairs()).toEqual([
      '4713 https://harbour.example/borea/',
      '4714 https://harbour.example/aurora/',
    ]);
  });

  test('a page of a build that did not end is rendered again', async () => {
    const ends = `{
      name: 'ends',
      hooks: { 'astro:build:generated': () => { if (process.env.ENDS) throw new Error('The end.'); } },
    }`;
    await setup.site.edit('astro.config.mjs', '[mediaAsset()]', `[${ends}, mediaAsset()]`);
    await outputOf(setup.build());
    await setup.site.edit(
      'src/boats.json',
      '"id": 4712, "digest": "1"',
      '"id": 4713, "digest": "2"',
    );
    expect(await outputOf(setup.buildAlone({ ENDS: '1' }), 1)).toContain('The end.');
    expect((await setup.buildAlone()).output).not.toMatch(/\(restored\)/);
    expect((await imageOf('borea')).src).toContain('/4713-');
    const { output } = await setup.buildAlone();
    expect(output).toMatch(/borea\/index\.html \(restored\)/);
    expect((await imageOf('borea')).size).toBeGreaterThan(0);
  });

  test('a page is rendered again when its asset has changed in the service', async () => {
    const before = await imageOf('aurora');
    const changed = { path: 'harbour.jpg', width: 640, height: 480, seed: 9 };
    await setup.replaceAsset(changed.path, await drawTestImage(changed));
    await setup.build();

    const after = await imageOf('aurora');
    expect(after.src).not.toBe(before.src);
    expect(after.size).toBeGreaterThan(0);
  });

  test('a page is rendered again when a default of images has changed', async () => {
    const images = '{ images: { quality: Number(process.env.QUALITY) } }';
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', `mediaAsset(${images})`);
    await setup.build({ QUALITY: '80' });
    const before = await imageOf('aurora');
    await setup.build({ QUALITY: '20' });
    expect((await imageOf('aurora')).size).toBeLessThan(before.size);
  });

  test('a skipped page fails builds while its asset is withdrawn, and is rendered again once it is back', async () => {
    const bytes = await setup.assetBytes('harbour.jpg');
    await setup.deleteAsset('harbour.jpg');
    for (const _ of ['first', 'next']) {
      const output = await outputOf(setup.build(), 1);
      expect(output).toContain('asset 4711 (404) on /aurora/');
    }
    await setup.replaceAsset('harbour.jpg', bytes);
    expect((await setup.build()).exitCode).toBe(0);
    expect((await imageOf('aurora')).size).toBeGreaterThan(0);
  });
});

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AstroConfig, AstroIntegrationLogger } from 'astro';
import { describe, expect, test } from 'vitest';
import { markFailure } from '../../../src/assets/formats/markers.ts';
import { askingOf } from '../../../src/assets/request/asking.ts';
import { createBuildNotes, type SiteBuild } from '../../../src/astro/build/build-notes.ts';
import {
  finishRenditions,
  publishRenditions,
} from '../../../src/astro/build/publish-renditions.ts';
import { toHtml } from '../../../src/astro/markdown/image-element.ts';
import { openMarkdown } from '../../../src/astro/markdown/markdown.ts';
import { openSite } from '../../../src/astro/open-site.ts';
import { type OptionsInput, resolveOptions } from '../../../src/config/options.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import { contentsOf, emulatorClient, give, startService } from '../../assets/open-images.ts';
import {
  type Respond,
  startScriptedService,
  status,
  withFolders,
} from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const picture = await drawTestImage({ path: 'quay.png', width: 30, height: 20 });
const refused = status(404);
const deliver = give(picture);

/** A project whose service has every asset that isn't in `gone`. `open` starts one of its builds. */
async function openProject() {
  const gone = new Set<number>();
  let answer = deliver;
  const service = await startScriptedService({
    respond: withFolders((response, request) => {
      const [, id] = /\/file\/(\d+)\//.exec(request.url) ?? [];
      return (gone.has(Number(id)) ? refused : answer)(response, request);
    }),
  });
  const root = pathToFileURL(`${await temporaryFolder('publish')}/`);
  const inRoot = (path: string) => new URL(path, root);
  const dist = inRoot('dist/');
  const config = {
    ...{ site: 'https://harbour.example', base: '/', trailingSlash: 'ignore', integrations: [] },
    ...{ root, srcDir: inRoot('src/'), outDir: dist, cacheDir: inRoot('.cache/') },
    ...{ image: {}, security: {}, experimental: {} },
    build: { format: 'directory', assets: '_astro' },
  } as unknown as AstroConfig;

  async function open(given: OptionsInput = {}) {
    const logged: string[] = [];
    const log = (message: string) => void logged.push(message);
    const logger = { info: log, warn: log, error: log } as unknown as AstroIntegrationLogger;
    const access = { baseUrl: service.url, accessToken: 'token' };
    const options = resolveOptions({ service: access, report: 'never', ...given }, {});
    const start = { command: 'build', options, environment: {}, logger } as const;
    const opened = { ...openSite(start, config), ...createBuildNotes() };
    await opened.images.publisher.recall();
    const markdown = await openMarkdown({ ...opened, describe: undefined });
    const site: SiteBuild = { ...opened, markdown, rendersOnDemand: false };
    return {
      site,
      logged,
      /** The tag of an asset, as `<MediaAsset>` writes it. */
      async show(id: number, page = '/') {
        const request = { id, alt: '', page };
        const asked = { languages: site.languages, caller: 'getMediaAsset()' };
        const asset = await site.images.pages.getMediaAsset(request, askingOf(request, asked));
        site.requested.note({ page }, asset);
        return `<img data-media-asset="${id}" src="${asset.src}">`;
      },
      /** The tag of an asset in Markdown. */
      async render(id: number, file: string) {
        const properties = { src: `media:${id}`, alt: 'A quay' };
        const written = { type: 'element', tagName: 'img', properties, children: [] } as const;
        const text = { file: fileURLToPath(inRoot(file)), text: '' };
        const changed = await markdown.change({ ...written, children: [] }, () => text);
        return changed?.type === 'element' ? toHtml(changed) : '';
      },
      publish: () => publishRenditions(site, dist),
      finish: () => finishRenditions(site),
    };
  }

  return {
    ...{ gone, open },
    /** Sets how the service answers from now on. */
    answer(respond: Respond) {
      answer = respond;
    },
    async write(file: string, text: string) {
      await mkdir(dirname(fileURLToPath(new URL(file, dist))), { recursive: true });
      await writeFile(new URL(file, dist), text);
    },
    read: (file: string) => readFile(new URL(file, dist), 'utf8'),
    exists: (file: string) => existsSync(new URL(file, dist)),
  };
}

const fileIn = (tag: string) => /src="\/([^"]+)"/.exec(tag)?.[1] ?? '';

const unavailable = '<img data-media-asset-unavailable="1">';

describe('an asset in files of an earlier build that the service refuses now', () => {
  const files = ['feed.xml', 'quays.json', 'ropes.json'];
  const named = `asset 1 (404) on ${files.join(', ')}.`;

  async function openLater(options: OptionsInput) {
    const project = await openProject();
    const first = await project.open();
    const tag = await first.show(1);
    for (const file of files) await project.write(file, `"/${fileIn(tag)}"`);
    await first.publish();
    project.gone.add(1);
    return { tag, project, build: await project.open(options) };
  }

  test('fails the build, which names each of the files', async () => {
    const { build } = await openLater({});
    await expect(build.publish()).rejects.toMatchObject({
      code: 'asset-withdrawn',
      message: expect.stringContaining(named),
    });
  });

  test('fails the build for a page that no component has written', async () => {
    const project = await openProject();
    const first = await project.open();
    const tag = await first.show(1);
    await project.write('old/index.html', `<title>Old</title>${tag}`);
    await first.publish();
    project.gone.add(1);
    await expect((await project.open()).publish()).rejects.toMatchObject({
      code: 'asset-withdrawn',
      message: expect.stringContaining('asset 1 (404) on /old/.'),
    });
  });

  test('is left out with a warning that names each, if the site allows that', async () => {
    const { tag, project, build } = await openLater({ unavailable: 'warn' });
    await build.publish();
    expect(build.logged).toEqual([expect.stringContaining(named)]);
    expect(project.exists(fileIn(tag))).toBe(false);
    expect(await contentsOf(build.site.cacheDir)).not.toEqual([]);
    await build.finish();
    expect(await contentsOf(build.site.cacheDir)).toEqual([]);
  });
});

describe('a mark in a page', () => {
  test.each<[said: string, given: OptionsInput, code: string | undefined]>([
    ['fails the build', {}, 'asset-withdrawn'],
    ["doesn't fail a build without credentials", { service: {} }, undefined],
  ])('of an unavailable asset %s', async (_, given, code) => {
    const project = await openProject();
    const build = await project.open(given);
    await project.write('index.html', unavailable);
    const [end] = await Promise.allSettled([build.publish()]);
    expect(end.status === 'rejected' ? end.reason.code : undefined).toBe(code);
  });

  test('of a failure fails the build, and the other failures are logged, each once', async () => {
    const project = await openProject();
    const build = await project.open();
    const failed = (id: number) => {
      const error = mediaAssetError('asset-id-invalid', { value: `no ${id}` });
      const [[name, value] = []] = Object.entries(markFailure(error));
      return `<img ${name}="${value}">`;
    };
    await project.write('index.html', failed(1) + failed(2));
    await project.write('quay/index.html', failed(2) + failed(1));
    await expect(build.publish()).rejects.toThrow('no 1');
    expect(build.logged).toEqual([expect.stringContaining('no 2')]);
  });
});

test("a failed build keeps what it knows of its renditions, so that the next build's pages can name them", async () => {
  const project = await openProject();
  const first = await project.open();
  const tag = await first.show(1);
  await project.write('index.html', tag + unavailable);
  await expect(first.publish()).rejects.toMatchObject({ code: 'asset-withdrawn' });
  const second = await project.open();
  await project.write('index.html', tag);
  await second.publish();
  expect(second.logged).toEqual([]);
  expect(project.exists(fileIn(tag))).toBe(true);
});

test.each([
  ['with all of its assets keeps', '', true],
  ['without one of them keeps none of', unavailable, false],
])('the next build after one %s its Markdown and its pages', async (_, missing, isKept) => {
  const project = await openProject();
  const options = { unavailable: 'warn' } as const;
  const first = await project.open(options);
  await first.render(2, 'src/content/quay.md');
  await project.write('index.html', missing);
  const pages = await first.site.state();
  await first.publish();
  const { site } = await project.open(options);
  // Astro renders anew if these change.
  expect(site.markdown.state === first.site.markdown.state).toBe(isKept);
  expect((await site.state()) === pages).toBe(isKept);
});

test('the next build renders Markdown again after the service has refused an asset of a draft', async () => {
  const project = await openProject();
  project.gone.add(2);
  const first = await project.open();
  expect(await first.render(2, 'src/content/draft.md')).toContain('unavailable');
  await project.write('index.html', '');
  await first.publish();
  project.gone.clear();
  const { site } = await project.open();
  expect(site.markdown.state).not.toBe(first.site.markdown.state);
});

test("with `delivery: 'service'`, each build renders Markdown again", async () => {
  const project = await openProject();
  const options = { delivery: 'service' } as const;
  const first = await project.open(options);
  expect(await first.render(2, 'src/content/quay.md')).toContain('/file/2/download/');
  await project.write('index.html', '');
  await first.publish();
  const { site } = await project.open(options);
  expect(site.markdown.state).not.toBe(first.site.markdown.state);
});

test('renditions of an earlier build are deleted, and other files stay', async () => {
  const project = await openProject();
  const build = await project.open();
  const [old, now] = [await build.show(2), await build.show(1)];
  const others = ['_astro/media-asset/index.html', '_astro/media-asset/notes.webp'];
  for (const file of [fileIn(old), ...others]) await project.write(file, '');
  await project.write('index.html', now);
  await build.publish();
  expect([fileIn(old), fileIn(now), ...others].map(project.exists)).toEqual([
    ...[false, true, true, true],
  ]);
  expect([...build.site.published]).toEqual([[fileIn(now).replace('_astro/', ''), '/']]);
});

test.each([
  ['with', '<!--[if astro]>server-island-start<![endif]-->', true],
  ['without', '', false],
])(
  'a page %s a server island publishes what it has requested: %s',
  async (_, island, isPublished) => {
    const project = await openProject();
    const build = await project.open();
    const [own, other] = [await build.show(1, '/quay/'), await build.show(2, '/rope/')];
    await project.write('quay/index.html', island);
    await build.publish();
    expect([own, other].map((tag) => project.exists(fileIn(tag)))).toEqual([isPublished, false]);
    expect(build.site.unscanned.islands).toEqual(isPublished ? ['/quay/'] : []);
  },
);

describe("a page with the service's own URL of an asset", () => {
  test.each([
    ['static', [expect.stringContaining('/ shows asset 4711 by the service')]],
    ['service', []],
  ] as const)('is logged with delivery %s', async (delivery, expected) => {
    const project = await openProject();
    const build = await project.open({ delivery });
    const { baseUrl } = build.site.service;
    await project.write('index.html', `<img src="${baseUrl}/1/file/4711/download/0">`);
    await build.publish();
    expect(build.logged).toEqual(expected);
  });

  test('is told from one with an address that nothing has read', async () => {
    const project = await openProject();
    const build = await project.open();
    await project.write('quay/index.html', '<img src="media:4711">');
    await build.publish();
    expect(build.logged).toEqual([expect.stringContaining('/quay/ contains media:4711')]);
  });
});

test('a URL of ours that no component has made is logged', async () => {
  const project = await openProject();
  const build = await project.open();
  const copied = (await build.show(1)).replace(/-[0-9a-f]{16}-1\./, `-${'0'.repeat(16)}-1.`);
  await project.write('index.html', copied);
  await build.publish();
  expect(build.logged).toEqual([expect.stringContaining(`/ uses /${fileIn(copied)}, an image`)]);
});

/** A service with one asset that has a record. */
async function startRecords(fields: Readonly<Record<string, string>>) {
  const emulator = await startService([{ path: 'a.png', width: 30, height: 20 }]);
  const { files } = emulatorClient(emulator);
  await files.update(4711, fields);
  const service = {
    ...{ baseUrl: emulator.url, clientId: 'emulator', clientSecret: 'emulator-secret' },
    ...{ username: 'editor', password: 'harbour' },
  };
  return { service, files };
}

test('a list of credits names the assets of all pages', async () => {
  const { service } = await startRecords({ photographer: 'Ada Quist' });
  const project = await openProject();
  const record: OptionsInput['record'] = {
    fields: ['photographer'],
    read: ({ photographer }) => ({ alt: '', credit: photographer }),
  };
  const build = await project.open({ service, record });
  const list = '<ul><li data-media-asset-credits></li></ul>';
  await project.write('credits/index.html', list);
  await project.write('quay/index.html', await build.show(4711, '/quay/'));
  await build.publish();
  const html = await project.read('credits/index.html');
  expect(html).toContain('Ada Quist');
  expect(html).toContain('<li id="media-credit-4711">');
  expect(html).toContain('href="/quay/"');
});

test("an asset of an earlier build's page that has become forbidden since fails the build", async () => {
  const { service, files } = await startRecords({ consent: 'yes' });
  const rights: OptionsInput['rights'] = {
    fields: ['consent'],
    read: ({ consent }) => ({ state: consent === 'no' ? 'forbidden' : 'allowed' }),
  };
  const options = { service, rights };
  const project = await openProject();
  const first = await project.open(options);
  const tag = await first.show(4711);
  await project.write('index.html', tag);
  await first.publish();
  await files.update(4711, { consent: 'no' });
  const second = await project.open(options);
  await expect(second.publish()).rejects.toMatchObject({ code: 'forbidden-address' });
  expect(project.exists(fileIn(tag))).toBe(false);
});

describe.each(['publish', 'finish'] as const)('to %s fails', (step) => {
  test("if the last build's assets can't be checked", async () => {
    const project = await openProject();
    const first = await project.open();
    await project.write('index.html', await first.show(1));
    await first.publish();
    project.answer(status(401));
    const second = await project.open();
    await project.write('index.html', '');
    second.site.checks.start();
    await expect(second[step]()).rejects.toMatchObject({ code: 'request-unauthorized' });
  });

  test("with an error of Markdown's that isn't ours", async () => {
    const build = await (await openProject()).open();
    const broken = new Error('broken');
    build.site.images.pages.getMediaAsset = () => Promise.reject(broken);
    await build.render(1, 'src/content/quay.md');
    await expect(build[step]()).rejects.toBe(broken);
  });
});

describe('at the end of a build', () => {
  test('an asset that content has requested fails it, even if no page is prerendered', async () => {
    const build = await (await openProject()).open();
    build.site.unavailable.add({ id: 1, caller: 'getMediaFile()' });
    await expect(build.finish()).rejects.toMatchObject({ code: 'asset-withdrawn' });
  });

  test.each<[isShown: boolean, routes: string[], islands: string[], warns: boolean]>([
    [false, ['/now'], [], true],
    [false, [], ['/quay/'], true],
    [false, ['/now'], ['/quay/'], true],
    [false, [], [], false],
    [true, ['/now'], ['/quay/'], false],
  ])(
    "Markdown's images that no page shows are logged, unless nothing renders later: %s, %s, %s → %s",
    async (isShown, routes, islands, warns) => {
      const project = await openProject();
      const build = await project.open();
      const image = await build.render(1, 'src/content/quay.md');
      await project.write('index.html', isShown ? image : '');
      await build.publish();
      Object.assign(build.site.unscanned, { routes, islands });
      await build.finish();
      expect(build.logged).toEqual(
        warns ? [expect.stringContaining('assets of src/content/quay.md')] : [],
      );
    },
  );
});

test.each([
  ['warn', undefined],
  ['fail', 'crop-review'],
] as const)('another image below a crop on a page is told (%s)', async (changed, code) => {
  const project = await openProject();
  const large = (seed: number) =>
    drawTestImage({ path: 'quay.png', width: 400, height: 300, seed }).then(give);
  const show = async ({ site }: { site: SiteBuild }) => {
    const crop = { x: 40, y: 40, width: 200, height: 100 };
    const request = { id: 1, alt: '', crop, page: '/' };
    const asked = { languages: site.languages, caller: 'getMediaAsset()' };
    const { src } = await site.images.pages.getMediaAsset(request, askingOf(request, asked));
    await project.write('index.html', `<img src="${src}">`);
  };
  project.answer(await large(1));
  const first = await project.open({ crops: 'local' });
  await show(first);
  await first.publish();
  project.answer(await large(2));
  const second = await project.open({ crops: 'local', changed });
  await show(second);
  const [end] = await Promise.allSettled([second.publish()]);
  expect(end.status === 'rejected' ? end.reason.code : undefined).toBe(code);
  expect(second.logged.length).toBe(code ? 0 : 1);
  const left = `${second.site.cacheDir}/crops.json`;
  expect(JSON.parse(await readFile(left, 'utf8'))).toHaveLength(1);
  // A build without credentials compares nothing, so it leaves what an earlier one has found.
  await writeFile(left, 'found');
  const third = await project.open({ service: {}, crops: 'local' });
  await show(third);
  await third.publish();
  expect(await readFile(left, 'utf8')).toBe('found');
});

test('an asset that only a server island shows, and that has become forbidden since, fails the build', async () => {
  const { service, files } = await startRecords({ consent: 'yes' });
  const rights: OptionsInput['rights'] = {
    fields: ['consent'],
    read: ({ consent }) => ({ state: consent === 'no' ? 'forbidden' : 'allowed' }),
  };
  const options = { service, rights };
  const project = await openProject();
  await project.write('quay/index.html', '<!--[if astro]>server-island-start<![endif]-->');
  const first = await project.open(options);
  const { site } = first;
  const asked = { languages: site.languages, caller: 'getMediaAsset()' };
  const request = { id: 4711, alt: '', page: '/quay/' };
  const asset = await site.images.pages.getMediaAsset(request, askingOf(request, asked));
  site.requested.note({ page: '/quay/' }, asset);
  await first.publish();
  await files.update(4711, { consent: 'no' });
  const second = await project.open(options);
  second.site.requested.note({ page: '/quay/' }, asset);
  await expect(second.publish()).rejects.toMatchObject({ code: 'forbidden-address' });
});

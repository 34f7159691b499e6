import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AssetsOptions } from '../../src/assets/assets-options.ts';
import type { TextsRule } from '../../src/assets/records/asset-record.ts';
import type { RightsRule } from '../../src/assets/records/verdict.ts';
import type { MediaAssetRequest } from '../../src/assets/request/media-asset.ts';
import { siteLanguages } from '../../src/config/languages.ts';
import { drawPdf } from '../support/images/test-files.ts';
import {
  cacheFolder,
  emulatorClient,
  openImages,
  replaceAsset,
  startService,
  type TestImages,
} from './open-images.ts';

const pictures = ['a.png', 'b.png'].map((path, seed) => ({ path, width: 8, height: 6, seed }));
const emulator = await startService(pictures);
const service = emulatorClient(emulator);
const today = Date.parse('2026-06-10T12:00:00Z');
const [first, second] = await Promise.all(
  pictures.map(({ path }) => readFile(join(emulator.mediaDir, path))),
);

const i18n = { locales: ['en', 'de'], defaultLocale: 'en' };
const languages = siteLanguages({ i18n, base: '/' });

const rule: TextsRule = {
  fields: ['text', 'titleDe', 'views'],
  read: ({ text, titleDe }, { locale }) => ({ alt: locale === 'de' ? titleDe : text }),
};

const rights: RightsRule = {
  fields: ['consent', 'licenceTo'],
  read: ({ consent, licenceTo }) => ({
    state: consent === 'no' ? 'forbidden' : 'allowed',
    until: licenceTo,
  }),
  ...{ forbidden: 'hide', unknown: 'allow', warnDays: 30 },
};

/** The bytes after the image's end. Both versions have the same size. */
const withEnd = (image = Buffer.of(), end: 'A' | 'B' = 'A') =>
  Buffer.concat([image, Buffer.from(end)]);

beforeEach(async () => {
  await replaceAsset(emulator, 'a.png', withEnd(first));
  await replaceAsset(emulator, 'b.png', withEnd(second));
  await replaceAsset(emulator, 'c.pdf', drawPdf());
  await emulator.clearFaults();
  for (const id of [4711, 4712, 4713])
    await service.files.update(id, {
      ...{ text: 'Quay', titleDe: 'Kai', consent: 'yes', licenceTo: '2026-12-31', views: '0' },
    });
});

/** The alternative text comes from the record. */
const request = (id: number, locale?: string) =>
  ({ id, locale, page: '/' }) as unknown as MediaAssetRequest;

type Page = (images: TestImages) => Promise<unknown>;

/** Leaves out what can't be shown. */
const bothImages: Page = (images) =>
  Promise.allSettled([4711, 4712].map((id) => images.getMediaAsset(request(id))));
const germanImage: Page = async (images) =>
  images.publish(await images.getMediaAsset(request(4711, 'de')));
const oneImage: Page = async (images) => images.publish(await images.getMediaAsset(request(4711)));
/** An image that no built file names, such as the size of one for a script. */
const dataOnly: Page = (images) => images.getMediaAsset(request(4711));
const creditOnly: Page = (images) => images.getMediaCredit({ id: 4711, page: '/' });
/** An image with the service's own URL. */
const addressOnly: Page = (images) =>
  images.emit({ addresses: [], assets: [{ id: 4711, page: '/' }], write: async () => {} });
const fileOnly: Page = (images) => images.getMediaFile({ id: 4713, page: '/' });

async function openBuild(page: Page, given: Partial<AssetsOptions> = {}) {
  const cacheDir = await cacheFolder();
  const open = (options: Partial<AssetsOptions> = {}) =>
    openImages({
      ...{ service, cacheDir, record: rule, rights, languages, clock: () => today },
      ...given,
      ...options,
    });
  const build = async () => {
    const images = open();
    await images.checkUsed();
    await page(images).catch(() => {});
    // As `build.json` keeps it.
    const digests = JSON.parse(JSON.stringify(await images.digests()));
    await images.save();
    return digests;
  };
  let built = await build();
  return {
    cacheDir,
    async build() {
      built = await build();
    },
    /** A dev session shows the page, and saves what it has read. */
    async dev() {
      for (let round = 0; round < 2; round += 1) {
        const images = open({ mode: 'dev', clock: () => today + 120_000 });
        await page(images);
        await images.save();
      }
    },
    changes: async (options?: Partial<AssetsOptions>) =>
      (await open(options).changesSince(built, () => {})).map(
        ({ id, reason, detail }) => `${id} ${reason}${detail === undefined ? '' : ` (${detail})`}`,
      ),
  };
}

const update = (fields: Readonly<Record<string, string>>) => () =>
  service.files.update(4711, fields);
const replaceImage = () => replaceAsset(emulator, 'a.png', withEnd(first, 'B'));
const failWith = (call: 'any' | 'original', status: number) => () =>
  emulator.setFaults([{ call, kind: 'status', status }]);

describe('the changes since a build', () => {
  const cases: [string, Page, () => Promise<unknown>, string[]][] = [
    ['an image has other bytes of the same size', bothImages, replaceImage, ['4711 replaced']],
    ['an image that only data names has other bytes', dataOnly, replaceImage, ['4711 replaced']],
    [
      'a file has other bytes of the same size',
      fileOnly,
      () => replaceAsset(emulator, 'c.pdf', drawPdf('Tidal report!')),
      ['4713 replaced'],
    ],
    [
      'an asset is deleted',
      bothImages,
      () => rm(join(emulator.mediaDir, 'a.png')),
      ['4711 withdrawn'],
    ],
    ['an asset is refused', oneImage, failWith('original', 403), ['4711 withdrawn']],
    ['the record has another text', bothImages, update({ text: 'Pier' }), ['4711 reworded']],
    ['a text is only shown in German', germanImage, update({ titleDe: 'Ufer' }), ['4711 reworded']],
    ['only the record is shown', creditOnly, update({ text: 'Pier' }), ['4711 reworded']],
    ['the asset is forbidden', bothImages, update({ consent: 'no' }), ['4711 forbidden']],
    [
      'the rights end soon',
      bothImages,
      update({ licenceTo: '2026-06-20' }),
      ['4711 ending (2026-06-20)'],
    ],
    [
      'a page has a URL of the service, and its asset is forbidden',
      addressOnly,
      update({ consent: 'no' }),
      ['4711 forbidden'],
    ],
    [
      'a page has a URL of the service, and the rights end soon',
      addressOnly,
      update({ licenceTo: '2026-06-20' }),
      ['4711 ending (2026-06-20)'],
    ],
    [
      'both change',
      bothImages,
      async () => {
        await replaceImage();
        await update({ text: 'Pier' })();
      },
      ['4711 replaced', '4711 reworded'],
    ],
    ['a field changes that pages do not use', bothImages, update({ views: '1' }), []],
    ['a text changes in a language that no page uses', creditOnly, update({ titleDe: 'Ufer' }), []],
    ['nothing changes', bothImages, async () => {}, []],
  ];
  test.each(cases)('if %s, are named until the next build', async (_, page, change, expected) => {
    const site = await openBuild(page);
    await change();
    expect([await site.changes(), await site.changes()]).toEqual([expected, expected]);
    await site.build();
    expect(await site.changes()).toEqual([]);
  });

  test('name an asset that is back', async () => {
    const site = await openBuild(bothImages);
    await rm(join(emulator.mediaDir, 'a.png'));
    await site.build();
    await replaceImage();
    expect(await site.changes()).toEqual(['4711 returned']);
  });

  test('name an asset that may be shown again', async () => {
    await update({ consent: 'no' })();
    const site = await openBuild(bothImages);
    expect(await site.changes()).toEqual([]);
    await update({ consent: 'yes' })();
    expect(await site.changes()).toEqual(['4711 allowed']);
  });

  test('name an asset whose rights have ended since, although its record is the same', async () => {
    const site = await openBuild(oneImage);
    const clock = () => Date.parse('2027-01-01T00:00:00Z');
    expect(await site.changes({ clock })).toEqual(['4711 forbidden (rights ended on 2026-12-31)']);
    const last = () => Date.parse('2026-12-31T23:59:59Z');
    expect(await site.changes({ clock: last })).toEqual([]);
  });

  test('name assets that the site reads otherwise', async () => {
    const site = await openBuild(oneImage);
    const read: TextsRule['read'] = ({ text }) => ({ alt: `${text}!` });
    const none: RightsRule['read'] = () => ({ state: 'forbidden' });
    const record = { ...rule, read };
    expect(await site.changes({ record })).toEqual(['4711 reworded']);
    const changed = { record, rights: { ...rights, read: none } };
    expect(await site.changes(changed)).toEqual(['4711 forbidden']);
  });

  test('name what a dev session has seen first', async () => {
    const site = await openBuild(oneImage);
    await replaceImage();
    await update({ text: 'Pier' })();
    await site.dev();
    expect(await site.changes()).toEqual(['4711 replaced', '4711 reworded']);
  });

  test.each<[what: string, Page, () => Promise<unknown>, string[]]>([
    [
      'an image and its record',
      oneImage,
      async () => {
        await replaceImage();
        await update({ text: 'Pier' })();
      },
      ['4711 replaced', '4711 reworded'],
    ],
    [
      'a file',
      fileOnly,
      () => replaceAsset(emulator, 'c.pdf', drawPdf('Tidal report!')),
      ['4713 replaced'],
    ],
  ])('of %s are found without the cache', async (_, page, change, expected) => {
    const site = await openBuild(page);
    await rm(site.cacheDir, { recursive: true });
    expect(await site.changes()).toEqual([]);
    await change();
    await rm(site.cacheDir, { recursive: true });
    expect(await site.changes()).toEqual(expected);
  });
});

describe('the changes since a build can not be told', () => {
  test.each<[string, Page, () => Promise<unknown>, string]>([
    ['the service is down', bothImages, failWith('any', 503), 'service-failed'],
    ['the records can not be read', creditOnly, failWith('any', 503), 'service-failed'],
    [
      'the service refuses all assets',
      bothImages,
      failWith('original', 403),
      'service-refuses-all',
    ],
    [
      'a new version is no image',
      bothImages,
      () => replaceAsset(emulator, 'a.png', Buffer.from('a text')),
      'download-not-a-picture',
    ],
    ['a record is invalid', bothImages, update({ licenceTo: 'soon' }), 'record-invalid'],
  ])('if %s, as the next build could not show it', async (_, page, change, code) => {
    const site = await openBuild(page);
    await change();
    await expect(site.changes()).rejects.toMatchObject({ code });
  });
});

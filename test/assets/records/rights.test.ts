import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RecordRule, RightsRule } from '../../../src/assets/records/records.ts';
import type { MediaAsset } from '../../../src/assets/request/media-asset.ts';
import { isMediaAssetError } from '../../../src/errors/errors.ts';
import {
  failureOf,
  type Respond,
  startScriptedService,
  status,
} from '../../service/scripted-service.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import {
  addressesOf,
  addressesOn,
  cacheFolder,
  codeOf,
  emulatorClient,
  newBuild,
  openImages,
  openSite,
  startService,
} from '../open-images.ts';

const today = Date.parse('2026-06-10T12:00:00Z');

const consents = ['OK', 'no', ''] as const;
const ends = { past: '2026-06-09', today: '2026-06-10', future: '2126-01-01', none: '' } as const;

/** Each pair of a consent and an end of the license, and whether the site may show such an asset. */
const kinds = consents.flatMap((consent) =>
  Object.values(ends).map((until) => ({
    consent,
    until,
    expected:
      consent === 'no' || until === ends.past
        ? 'forbidden'
        : consent === ''
          ? 'unknown'
          : 'allowed',
  })),
);

const record = {
  fields: ['consent', 'licenceTo'],
  read: ({ consent, licenceTo }: Readonly<Record<string, unknown>>) => ({
    alt: 'Quay',
    rights: consent === 'OK' ? 'allowed' : consent === 'no' ? 'forbidden' : undefined,
    until: licenceTo,
  }),
};

/** Opens the images of one build with an asset of each kind. */
async function startAssets() {
  const pictures = kinds.map((_, seed) => ({
    path: `${10 + seed}.png`,
    width: 4,
    height: 3,
    seed,
  }));
  const emulator = await startService(pictures);
  const service = emulatorClient(emulator);
  const assets = kinds.map((kind, index) => ({
    ...{ id: 4711 + index, page: `/${4711 + index}/` },
    ...kind,
  }));
  await Promise.all(
    assets.map(({ id, consent, until }) => service.files.update(id, { consent, licenceTo: until })),
  );
  const open = (rights: RightsRule, cacheDir: string) =>
    openImages({ service, cacheDir, record, rights, clock: () => today });
  return { assets, open };
}

const policies = (['fail', 'hide', 'warn'] as const).flatMap((forbidden) =>
  (['allow', 'warn', 'forbid'] as const).map((unknown) => ({ forbidden, unknown, warnDays: 30 })),
);

describe('assets of every consent and end', async () => {
  const { assets, open } = await startAssets();
  const cacheDir = await mkdtemp(join(tmpdir(), 'rights-'));
  afterAll(() => rm(cacheDir, { recursive: true, force: true }));

  test.each(policies)(
    'publish no forbidden byte and stop for no other, with forbidden: $forbidden, unknown: $unknown',
    async (rule) => {
      const images = open(rule, cacheDir);
      const isForbidden = ({ expected }: { expected: string }) =>
        expected === 'forbidden' || (expected === 'unknown' && rule.unknown === 'forbid');
      const isLeftOut = (asset: { expected: string }) =>
        rule.forbidden !== 'warn' && isForbidden(asset);
      const shown: { asset: MediaAsset; page: string }[] = [];
      const stopped: string[] = [];
      for (const { id, page } of assets) {
        try {
          shown.push({ asset: await images.getMediaAsset({ id, page, alt: '' }), page });
        } catch (thrown) {
          if (!isMediaAssetError(thrown, 'asset-forbidden')) throw thrown;
          expect(thrown.message).toMatch(new RegExp(`asset ${id}\\b.* on ${page}\\.$`));
          stopped.push(page);
        }
      }
      const written = new Set<number>();
      const { findings } = await images.emit({
        addresses: shown.flatMap(({ asset, page }) => addressesOn(page, asset)),
        write: async (path) => void written.add(Number(/media-asset\/(\d+)-/.exec(path)?.[1])),
      });
      await images.save();
      const pagesOf = (code: string) =>
        findings.filter((found) => found.code === code).map((found) => found.page);
      const pages = (of: (asset: (typeof assets)[number]) => boolean) =>
        assets.filter(of).map(({ page }) => page);

      expect(stopped).toEqual(pages(isLeftOut));
      expect([...written].sort()).toEqual(
        assets.filter((asset) => !isLeftOut(asset)).map(({ id }) => id),
      );
      expect(pagesOf('asset-forbidden')).toEqual(
        pages((asset) => isForbidden(asset) && !isLeftOut(asset)),
      );
      expect(pagesOf('rights-unknown')).toEqual(
        pages(({ expected }) => expected === 'unknown' && rule.unknown === 'warn'),
      );
      expect(pagesOf('rights-ending')).toEqual(
        pages(({ expected, until }) => expected === 'allowed' && until === ends.today),
      );
    },
  );
});

describe('a forbidden asset', async () => {
  const { assets, open } = await startAssets();
  const allowed = { forbidden: 'warn', unknown: 'allow', warnDays: 30 } as const;
  const gone = assets.find(({ expected }) => expected === 'forbidden')?.id ?? 0;

  test.each(['fail', 'hide'] as const)(
    'whose URL a page contains anyway is an error, with forbidden: %s',
    async (forbidden) => {
      const cacheDir = await cacheFolder();
      const before = await open(allowed, cacheDir).getMediaAsset({ id: gone, page: '/', alt: '' });
      const images = open({ ...allowed, forbidden }, cacheDir);
      await images.getMediaAsset({ id: 4711 + 2, page: '/', alt: '' });
      const written: string[] = [];
      const emitted = images.emit({
        addresses: addressesOf(before),
        write: async (path) => void written.push(path),
      });
      const thrown = await failureOf(emitted);
      expect(thrown).toMatchObject({ code: 'forbidden-address' });
      expect(thrown.message).toContain(`asset ${gone} (rights ended on 2026-06-09) on /page/`);
      expect(written).toEqual([]);
    },
  );

  test('whose service URL a page contains is an error', async () => {
    const images = open({ ...allowed, forbidden: 'hide' }, await cacheFolder());
    const emitted = images.emit({
      addresses: [],
      assets: [{ id: gone, page: '/feed.xml' }],
      write: async () => {},
    });
    expect(await codeOf(emitted)).toBe('forbidden-address');
  });
});

describe("an asset that German pages mustn't show", async () => {
  const emulator = await startService([{ path: 'quay.png', width: 4, height: 3 }]);

  test.each<[page: string, asked: string[], isAllowed: boolean]>([
    // Astro has kept the page, or someone wrote the URL.
    ['/quay/', [], true],
    ['/de/quay/', [], false],
    ['/de/quay/', ['en'], true],
    ['/quay/', ['de'], false],
    ['/quay/', ['de', 'en'], true],
  ])('may be on %s, whose components asked in %j: %s', async (page, asked, isAllowed) => {
    const images = await newBuild(emulator, {
      record: {
        ...{ fields: ['consent'], locales: ['en', 'de'], defaultLocale: 'en' },
        read: (_, { locale }) => ({ rights: locale === 'de' ? 'forbidden' : 'allowed' }),
      },
      rights: { forbidden: 'fail', unknown: 'forbid', warnDays: 30 },
    });
    const shown = await images.getMediaAsset({ id: 4711, page: '/', alt: '' });
    const written: string[] = [];
    const emitted = images.emit({
      addresses: addressesOn(page, shown),
      asked: () => asked,
      write: async (path) => void written.push(path),
    });
    if (isAllowed) await emitted;
    else expect(await codeOf(emitted)).toBe('forbidden-address');
    expect(written.length > 0).toBe(isAllowed);
  });
});

describe.each([403, 404])('an asset whose record the service refuses with %i', async (code) => {
  const picture = await drawTestImage({ path: 'quay.png', width: 4, height: 3 });
  /** Delivers files, and lists none. */
  const respond: Respond = (response, request) => {
    if (/^\/1\/file\/\d+(?:\?|$)/.test(request.url)) return status(code)(response, request);
    response.writeHead(200).end(request.url.includes('/download/') ? picture : '[]');
  };

  test.each<[string, RecordRule['read'], string | undefined]>([
    [
      "forbidden if the site's own rule forbids it without fields",
      ({ consent }) => ({ rights: consent === 'OK' ? 'allowed' : 'forbidden' }),
      '',
    ],
    ['forbidden if its rights are unknown', ({ consent }) => ({ rights: consent }), 'no record'],
    ["shown if the site's own rule allows it", () => ({ rights: 'allowed' }), undefined],
  ])('is %s', async (_, read, reason) => {
    const images = await newBuild(await startScriptedService({ respond }), {
      clock: () => today,
      record: { fields: ['consent'], read },
      rights: { forbidden: 'fail', unknown: 'forbid', warnDays: 30 },
    });
    if (reason === undefined) return expect(await images.show(4711)).toMatchObject({ id: 4711 });
    const thrown = await failureOf(images.show(4711));
    expect(thrown).toMatchObject({ code: 'asset-forbidden' });
    expect(thrown.message).toContain(reason);
    expect(await codeOf(images.getMediaFile({ id: 4711, page: '/' }))).toBe('asset-forbidden');
  });
});

test('a record that was cached under other fields is no record', async () => {
  const emulator = await startService([{ path: 'quay.png', width: 4, height: 3, seed: 1 }]);
  const service = emulatorClient(emulator);
  await service.files.update(4711, { consent: 'no', note: 'x' });
  const { open } = await openSite(
    emulator,
    {},
    {
      rights: { forbidden: 'fail', unknown: 'allow', warnDays: 30 },
    },
  );
  const read: RecordRule['read'] = ({ consent }) => ({
    rights: consent === 'no' ? 'forbidden' : 'allowed',
  });
  const openWith = (...fields: string[]) => open({ record: { fields, read } });
  const before = openWith('note');
  expect(await before.show(4711)).toMatchObject({ id: 4711 });
  await before.save();
  expect(await codeOf(openWith('consent').show(4711))).toBe('asset-forbidden');
  await emulator.stop();
  expect(await codeOf(openWith('consent', 'note').show(4711))).toBe('service-unreachable');
});

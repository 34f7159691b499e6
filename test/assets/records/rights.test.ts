import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { TextsRule } from '../../../src/assets/records/asset-record.ts';
import type { RightsRule } from '../../../src/assets/records/verdict.ts';
import type { MediaAsset, MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
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

const reading: Pick<RightsRule, 'fields' | 'read'> = {
  fields: ['consent', 'licenceTo'],
  read: ({ consent, licenceTo }) => ({
    state: consent === 'OK' ? 'allowed' : consent === 'no' ? 'forbidden' : undefined,
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
    openImages({ service, cacheDir, rights: { ...reading, ...rights }, clock: () => today });
  return { assets, open };
}

const policy = { forbidden: 'fail', unknown: 'forbid', warnDays: 30 } as const;
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
      const findings = await images.emit({
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

describe('a text that names a rendition', async () => {
  const { assets, open } = await startAssets();
  const rule = { forbidden: 'hide', unknown: 'forbid', warnDays: 30 } as const;
  const gone = assets.find(({ expected }) => expected === 'forbidden')?.id ?? 0;
  const shown = assets.find(({ expected }) => expected === 'allowed')?.id ?? 0;

  test.each([
    ['a forbidden asset', gone, 0],
    ['an asset that is not in the service', 999_999, 0],
    ['an allowed asset', shown, 1],
  ])('publishes only what is ours and allowed, and fails no build: %s', async (_, id, files) => {
    const cacheDir = await cacheFolder();
    const images = open({ ...rule, forbidden: 'warn', unknown: 'allow' }, cacheDir);
    const made = await images.getMediaAsset({
      id: id === 999_999 ? shown : id,
      page: '/',
      alt: '',
    });
    await images.save();
    const named = addressesOf(made).slice(0, 1);
    const written: string[] = [];
    const findings = await open(rule, cacheDir).emit({
      addresses: named.map(({ address, page }) => ({ address: { ...address, id }, page })),
      assets: [],
      write: async (path) => void written.push(path),
    });
    expect(written.length).toBe(files);
    const warnings = ['rights-ending', 'rendition-unknown'];
    expect(findings.filter(({ code }) => !warnings.includes(code))).toEqual([]);
  });
});

describe("an asset that German pages mustn't show", async () => {
  const emulator = await startService([{ path: 'quay.png', width: 4, height: 3 }]);
  const i18n = { locales: ['en', 'de'], defaultLocale: 'en' };
  const site = {
    languages: siteLanguages({ i18n, base: '/' }),
    record: {
      fields: ['name'],
      read: (_, { locale }) => ({ alt: `Quay (${locale})`, credit: locale }),
    } satisfies TextsRule,
    rights: {
      fields: ['id'],
      read: (_, { language }) => ({ state: language === 'de' ? 'forbidden' : 'allowed' }),
      ...{ forbidden: 'fail', unknown: 'forbid', warnDays: 30 },
    } satisfies RightsRule,
  };

  // The language of the page that asks is no excuse: Astro can have kept a page, or someone the URL.
  test.each<[page: string, isAllowed: boolean]>([
    ['/quay/', true],
    ['/de/quay/', false],
    ['/de.html', false],
    ['/blog/de/', true],
    ['/feed.xml', false],
    ['/en/feed.xml', true],
    ['/data', false],
  ])('may be published on %s: %s', async (page, isAllowed) => {
    const images = await newBuild(emulator, site);
    const shown = await images.getMediaAsset({ id: 4711, page: '/', alt: '' });
    const written: string[] = [];
    const emitted = images.emit({
      addresses: addressesOn(page, shown),
      write: async (path) => void written.push(path),
    });
    if (isAllowed) await emitted;
    else expect(await codeOf(emitted)).toBe('forbidden-address');
    expect(written.length > 0).toBe(isAllowed);
  });

  test.each<[page: string | undefined, locale: string | undefined, alt: string | undefined]>([
    ['/quay/', undefined, 'Quay (en)'],
    ['/quay/', 'de', 'Quay (de)'],
    ['/quay/', 'fr', 'Quay (fr)'],
    ['https://harbour.example/quay/', undefined, 'Quay (en)'],
    ['/de/quay/', undefined, undefined],
    ['/de/quay/', 'en', undefined],
    ['/feed.xml', 'en', undefined],
    // A provisional verdict: the file that shows it is judged later.
    [undefined, undefined, 'Quay (en)'],
    [undefined, 'de', 'Quay (de)'],
    ['the footer', 'de', 'Quay (de)'],
  ])('on %s with the locale %s has the alt text %s', async (page, locale, alt) => {
    const images = await newBuild(emulator, site);
    // As the types allow it with the option `record`.
    const request = { id: 4711, page, locale } as MediaAssetRequest;
    const file = await codeOf(images.getMediaFile(request));
    if (alt === undefined) {
      expect(await codeOf(images.getMediaAsset(request))).toBe('asset-forbidden');
      expect(await codeOf(images.getMediaCredit(request))).toBe('asset-forbidden');
      return expect(file).toBe('asset-forbidden');
    }
    const shown = await images.getMediaAsset({ ...request, placeholder: 'color' });
    expect(shown).toMatchObject({ alt });
    // What has no URL is in a file that no one judges. It may be a German one if the page isn't known.
    const isKnown = page?.includes('/') ?? false;
    expect(shown.placeholder !== undefined).toBe(isKnown);
    const credit = images.getMediaCredit(request);
    if (isKnown) expect(await credit).toMatchObject({ credit: alt.slice(6, -1) });
    else expect(await codeOf(credit)).toBe('asset-forbidden');
    // Its rights come first.
    expect(file).toBe('file-is-picture');
  });

  test('is forbidden in a call without a page if all languages forbid it', async () => {
    const rights: RightsRule = { ...site.rights, read: () => ({ state: 'forbidden' }) };
    const images = await newBuild(emulator, { ...site, rights });
    expect(await codeOf(images.getMediaAsset({ id: 4711, alt: '' }))).toBe('asset-forbidden');
  });
});

describe.each([403, 404])('an asset whose record the service refuses with %i', async (code) => {
  const picture = await drawTestImage({ path: 'quay.png', width: 4, height: 3 });
  /** Delivers files, and lists none. */
  const respond: Respond = (response, request) => {
    if (/^\/1\/file\/\d+(?:\?|$)/.test(request.url)) return status(code)(response, request);
    response.writeHead(200).end(request.url.includes('/download/') ? picture : '[]');
  };

  test.each<[string, RightsRule['read']]>([
    ['the site allows what is not forbidden', ({ consent }) => ({ state: consent ?? 'allowed' })],
    ['the site only reads until when', ({ consent }) => ({ until: consent })],
    ['the site allows all', () => ({ state: 'allowed' })],
  ])('is forbidden if %s', async (_, read) => {
    const images = await newBuild(await startScriptedService({ respond }), {
      clock: () => today,
      rights: { ...policy, fields: ['consent'], read },
    });
    const thrown = await failureOf(images.show(4711));
    expect(thrown).toMatchObject({ code: 'asset-forbidden' });
    expect(thrown.message).toContain('no record');
    expect(await codeOf(images.getMediaFile({ id: 4711, page: '/' }))).toBe('asset-forbidden');
  });

  test('is shown if the site reads no rights', async () => {
    const images = await newBuild(await startScriptedService({ respond }), {
      record: { fields: ['alttext'], read: () => ({ alt: 'Quay' }) },
      rights: policy,
    });
    expect(await images.show(4711)).toMatchObject({ id: 4711 });
  });
});

test('a record that was cached under other fields is no record', async () => {
  const emulator = await startService([{ path: 'quay.png', width: 4, height: 3, seed: 1 }]);
  const service = emulatorClient(emulator);
  await service.files.update(4711, { consent: 'no', note: 'x' });
  const { open } = await openSite(emulator);
  const read: RightsRule['read'] = (fields) => ({
    state: Object.values(fields).includes('no') ? 'forbidden' : 'allowed',
  });
  const openWith = (...fields: string[]) => open({ rights: { ...policy, fields, read } });
  const before = openWith('note');
  expect(await before.show(4711)).toMatchObject({ id: 4711 });
  await before.save();
  expect(await codeOf(openWith('consent').show(4711))).toBe('asset-forbidden');
  await emulator.stop();
  expect(await codeOf(openWith('consent', 'note').show(4711))).toBe('service-unreachable');
});

test("an asset is forbidden after its last day by the service's clock, if ours is days behind", async () => {
  const emulator = await startService([{ path: 'quay.png', width: 4, height: 3, seed: 2 }]);
  const clock = () => Date.now() - 5 * 24 * 60 * 60 * 1000;
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await emulatorClient(emulator).files.update(4711, { consent: 'OK', licenceTo: yesterday });
  const findings: string[] = [];
  const onFinding = ({ code }: { code: string }) => void findings.push(code);
  const service = emulatorClient(emulator, { clock, onFinding });
  const cacheDir = await cacheFolder();
  const images = openImages({ service, cacheDir, clock, rights: { ...policy, ...reading } });
  const thrown = await failureOf(images.show(4711));
  expect(thrown.message).toContain(`rights ended on ${yesterday}`);
  expect(findings).toEqual(['clocks-differ']);
});

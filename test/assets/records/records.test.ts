import { setImmediate } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import { formatCredit } from '../../../src/assets/formats/credit.ts';
import type { MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import { failureOf } from '../../service/scripted-service.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import { startEmulatorProcess } from '../../support/service/emulator-process.ts';
import { codeOf, emulatorClient, newBuild, openSite, startService } from '../open-images.ts';

const pictures = Array.from({ length: 4 }, (_, index) => ({
  path: `boats/${index}.jpg`,
  width: 160,
  height: 120,
  seed: index,
}));
const page = '/page/';
const day = 24 * 60 * 60 * 1000;

const record: AssetsOptions['record'] = {
  fields: ['alt_en', 'alt_de', 'photographer', 'hotspot'],
  read: (fields, { locale }) => ({
    alt: fields[`alt_${locale}`],
    credit: fields.photographer && `Photo: ${fields.photographer}`,
    focus: toFocus(fields.hotspot),
  }),
};
const i18n = { locales: ['en', 'de'], defaultLocale: 'en' };
const languages = siteLanguages({ i18n, base: '/' });

/** Most assets have no end. */
const rights: AssetsOptions['rights'] = {
  ...{ fields: ['licenceTo'], optional: ['licenceTo'] },
  read: ({ licenceTo }) => ({ until: licenceTo }),
  ...{ forbidden: 'hide', unknown: 'forbid', warnDays: 30 },
};

function toFocus(text: unknown) {
  const [x, y] = typeof text === 'string' ? text.split(' ').map(Number) : [];
  return x === undefined ? undefined : { x, y: y as number };
}

/** A request without `alt`, as the types allow it with the option `record`. */
const ask = (id: number, props: object = {}) => ({ id, page, ...props }) as MediaAssetRequest;

async function start() {
  const emulator = await startService(pictures);
  const open = (options: Partial<AssetsOptions> = {}) =>
    newBuild(emulator, { record, languages, ...options });
  return { emulator, service: emulatorClient(emulator), open };
}

describe('a page', async () => {
  const { service, open } = await start();
  await service.files.update(4711, {
    alt_en: 'The quay',
    alt_de: 'Der Kai',
    photographer: 'Ada',
    hotspot: '1 0',
  });
  await service.files.update(4712, { alt_en: '', alt_de: 'Das Boot' });

  test.each([
    ['the default language', {}, 'The quay'],
    ['its own language', { locale: 'de' }, 'Der Kai'],
    ['its own text instead', { alt: 'A pier', locale: 'de' }, 'A pier'],
    ['no text, for decoration', { alt: '' }, ''],
  ])('shows the alt text in %s', async (_, props, alt) => {
    const images = await open();
    expect(await images.getMediaAsset(ask(4711, props))).toMatchObject({
      ...{ alt, credit: 'Photo: Ada' },
    });
  });

  test('names assets as their records do, and without records as their files', async () => {
    await service.files.update(4713, { name: 'The ferry at noon' });
    for (const [options, name] of [
      [{}, 'The ferry at noon'],
      [{ record: undefined }, '2'],
    ] as const) {
      const images = await open(options);
      await images.show(4713);
      expect(images.names()).toEqual({ 4713: name });
    }
  });

  const reading = (result: object) => open({ record: { fields: ['alt_en'], read: () => result } });

  test('publishes files that name creator, credit, copyright and license, at another URL', async () => {
    const names = ['Ada', 'Bo'];
    const known = {
      credit: 'Photo: Ada & Bo / Harbour',
      copyright: '© Harbour',
      license: 'https://licence.example/by?a=1&b=2',
      acquireLicense: 'https://licence.example/buy',
    };
    const { asset, bytes } = await (await reading({ creator: names, ...known })).publishOne(4711);
    expect(asset.src).not.toBe((await (await reading({})).show(4711)).src);
    const { xmp } = await sharp(bytes).metadata();
    expect(String(xmp)).toContain(formatCredit(undefined, { creators: names, ...known }));
  });

  test('without any alt text is an error that names the page and the asset', async () => {
    const images = await open();
    expect(await failureOf(images.getMediaAsset(ask(4712)))).toMatchObject({
      code: 'alt-missing',
      message: expect.stringMatching(/^\/page\/: the image of asset 4712 has no `alt`, and its/),
    });
  });

  test('without any alt text is an error about the asset if the service does not have it', async () => {
    const images = await open();
    await images.getMediaAsset(ask(4711));
    expect(await codeOf(images.getMediaAsset(ask(999_999)))).toBe('asset-unknown');
  });

  test('keeps the focus when it cuts an aspect, and in `fit`', async () => {
    const images = await open();
    const cut = await images.getMediaAsset(ask(4711, { aspect: 1 }));
    expect(cut.customFormatUrl).toContain('x1=40&y1=0&w=120&h=120');
    const other = await images.getMediaAsset(ask(4711, { aspect: 1, focus: { x: 0, y: 0 } }));
    expect(other.customFormatUrl).toContain('x1=0&y1=0&w=120&h=120');
    const fitted = await images.getMediaAsset(ask(4711, { width: 50, height: 100 }));
    expect(fitted.position).toBe('100% 0%');
  });

  test('of a site whose `read` has a mistake is an error that names page, asset and key', async () => {
    const images = await reading({ alt: 7 });
    const thrown = await failureOf(images.getMediaAsset(ask(4711)));
    expect(thrown).toMatchObject({ code: 'record-invalid' });
    expect(thrown.message).toContain('/page/: The record of asset 4711');
    expect(thrown.message).toContain('`record.read`: `alt` is 7');
  });

  test.each([
    ['a minute ago', 60_000],
    ['in the future, as a wrong clock says', -60_000],
  ])('in dev shows the record cached %s, and a changed one the next time', async (_, ms) => {
    let now = Date.now();
    const images = await open({ mode: 'dev', crops: 'local', clock: () => now });
    await service.files.update(4713, { alt_en: 'A net' });
    expect((await images.getMediaAsset(ask(4713))).alt).toBe('A net');
    await service.files.update(4713, { alt_en: 'Two nets' });
    now += ms;
    expect((await images.getMediaAsset(ask(4713))).alt).toBe('A net');
    await images.save();
    expect((await images.getMediaAsset(ask(4713))).alt).toBe('Two nets');
  });
});

describe('a second build', async () => {
  const { emulator, service } = await start();
  for (const id of [4711, 4712, 4713]) await service.files.update(id, { alt_en: `Boat ${id}` });

  /** A site after a build with these assets. */
  async function built(...ids: number[]) {
    const { open } = await openSite(emulator, {}, { record, rights, languages });
    const images = open();
    const assets = await Promise.all(ids.map((id) => images.getMediaAsset(ask(id))));
    await images.publish(...assets);
    emulator.clearLog();
    return { open, versions: images.versions() };
  }

  test('sends one request for each record, and no body, if nothing has changed', async () => {
    const { open, versions } = await built(4711, 4712);
    const images = open();
    await images.checkUsed();
    for (const id of [4711, 4712]) await images.getMediaAsset(ask(id));
    const requests = emulator.log().filter(({ path }) => /^\/1\/file\/\d+$/.test(path));
    expect(requests.map(({ path }) => path).sort()).toEqual(['/1/file/4711', '/1/file/4712']);
    expect(images.versions()).toBe(versions);
    expect(images.counts()).toMatchObject({ downloads: 0, stale: 0 });
  });

  test('has other versions if a record has changed, and the same ones in the build after it', async () => {
    const { open, versions } = await built(4711, 4713);
    await service.files.update(4713, { alt_en: 'Another text' });
    const second = open();
    await second.checkUsed();
    const changed = second.versions();
    expect(changed).not.toBe(versions);
    await second.publish(await second.getMediaAsset(ask(4713)));
    const third = open();
    await third.checkUsed();
    expect(third.versions()).toBe(changed);
    // It doesn't end.
    const fourth = open();
    await fourth.checkUsed();
    expect(fourth.versions()).not.toBe(changed);
  });

  test('has other versions on the day after the rights have ended', async () => {
    await service.files.update(4712, { licenceTo: '2126-12-31' });
    const { open, versions } = await built(4712);
    const later = open({ clock: () => Date.parse('2127-01-01T00:00:00Z') });
    await later.checkUsed();
    expect(later.versions()).not.toBe(versions);
    await service.files.update(4712, { licenceTo: '' });
  });
});

describe('in an outage, a build', () => {
  const start = Date.UTC(2026, 2, 1);

  async function builtThenStopped(mostStale: number) {
    const media = await drawTestImages(pictures);
    const emulator = await startEmulatorProcess({ media });
    const fields = { alt_en: 'The quay', licenceTo: '2026-03-05' };
    await emulatorClient(emulator).files.update(4711, fields);
    const options = { record, languages, maxStale: mostStale, rights };
    const { open } = await openSite(emulator, { attempts: 1 }, options);
    const first = open({ clock: () => start });
    await first.publish(await first.getMediaAsset(ask(4711)));
    await emulator.stop();
    return { open: (now: number) => open({ clock: () => now }), versions: first.versions() };
  }

  test('shows the cached record until it is too old', async () => {
    const { open } = await builtThenStopped(3 * day);
    const soon = open(start + 2 * day);
    await soon.checkUsed();
    const asset = await soon.getMediaAsset(ask(4711));
    expect(asset.alt).toBe('The quay');
    await soon.publish(asset);
    expect(soon.findings.map(({ code }) => code).sort()).toEqual(['asset-stale', 'rights-ending']);
    const late = open(start + 4 * day);
    await late.checkUsed();
    expect(await codeOf(late.getMediaAsset(ask(4711)))).toBe('stale-too-long');
  });

  test('shows an asset by a URL of the service until its record is too old', async () => {
    const { open } = await builtThenStopped(3 * day);
    const emitAt = (now: number) =>
      open(now).emit({ addresses: [], assets: [{ id: 4711, page }], write: async () => {} });
    await emitAt(start + 2 * day);
    expect(await codeOf(emitAt(start + 4 * day))).toBe('stale-too-long');
  });

  test('knows when the rights have ended', async () => {
    const { open, versions } = await builtThenStopped(30 * day);
    const images = open(start + 6 * day);
    await images.checkUsed();
    // Otherwise, Astro keeps its pages.
    expect(images.versions()).not.toBe(versions);
    expect(await codeOf(images.getMediaAsset(ask(4711)))).toBe('asset-forbidden');
  });
});

test('in dev, a cached image without a cached record has an empty alt text in an outage', async () => {
  const { emulator } = await start();
  const { open } = await openSite(emulator, {}, { mode: 'dev', crops: 'local' });
  const first = open();
  await first.show(4711);
  await first.save();
  await emulator.stop();
  const images = open({ record });
  const shown = [await images.getMediaAsset(ask(4711)), await images.getMediaAsset(ask(4711))];
  expect(shown).toMatchObject([{ alt: '', width: 160 }, { alt: '' }]);
  expect(images.findings.map(({ code }) => code)).toEqual(['service-unreachable']);
});

test('without credentials, pages show cached alt texts, and placeholders with none', async () => {
  const { emulator, service } = await start();
  await service.files.update(4711, { alt_en: 'The quay' });
  const { open } = await openSite(emulator, {}, { record, languages });
  const first = open();
  await first.publish(await first.getMediaAsset(ask(4711)));
  const signedOut = emulatorClient(emulator, { credentials: { kind: 'none' } });
  const images = open({ service: signedOut, hasCredentials: false });
  expect((await images.getMediaAsset(ask(4711))).alt).toBe('The quay');
  const missing = await images.getMediaAsset(ask(4712));
  expect(missing).toMatchObject({ alt: '', renditions: [] });
  expect(await images.getMediaCredit({ id: 4712, page: '/' })).toMatchObject({ creators: [] });
  // The data of a missing asset has its address in the service.
  const emitted = images.emit({
    addresses: [],
    assets: [{ id: 4712, page: '/data.json' }],
    write: async () => {},
  });
  expect(await emitted).toEqual([]);
});

describe('100 assets in 20 folders', async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    path: `${String(index % 20).padStart(2, '0')}/${String(index).padStart(3, '0')}.png`,
    width: 4,
    height: 3,
    seed: index,
  }));

  test.each(['offered', 'missing'] as const)(
    'take at most 128 requests and no body when unchanged, with the call for one record %s',
    { tags: ['slow'] },
    async (recordCall) => {
      const emulator = await startService(many, { recordCall });
      const { open, next } = await openSite(emulator, {}, { record, languages });
      const ids = many.map((_, index) => 4711 + index);
      const first = open();
      // Pages ask before the source files are read.
      first.prefetch(async () => {
        await setImmediate();
        return ids;
      });
      const assets = await Promise.all(ids.map((id) => first.getMediaAsset(ask(id, { alt: '' }))));
      await first.publish(...assets);
      emulator.clearLog();
      const second = await next();
      for (const id of ids) await second.getMediaAsset(ask(id, { alt: '' }));
      const requests = emulator.log().filter(({ path }) => /\/(?:file|folder)/.test(path));
      // A check of each asset, a list of each folder, and 8 records that say that no value is left out.
      expect(requests.length).toBeLessThanOrEqual(128);
      expect(second.counts()).toMatchObject({ downloads: 0, checks: 100 });
    },
  );
});

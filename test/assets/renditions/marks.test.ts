import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AssetsOptions } from '../../../src/assets/assets-options.ts';
import { readSourceLabels } from '../../../src/assets/records/source-labels.ts';
import { structuredData } from '../../../src/assets/request/structured-data.ts';
import {
  drawMarked,
  drawnFormats,
  markOf,
  vocabulary,
  withManifest,
} from '../../support/images/marked-images.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { codeOf, emulatorClient, filesBelow, newBuild, openSite } from '../open-images.ts';

const generated = 'trainedAlgorithmicMedia';

/** The terms that a file names in its XMP, or if it has none, anywhere. */
async function marksIn(bytes: Uint8Array) {
  const pattern = /cv\.iptc\.org\/newscodes\/digitalsourcetype\/(\w+)/g;
  const { xmp } = await sharp(bytes).metadata();
  const text = xmp?.toString() ?? Buffer.from(bytes).toString('latin1');
  return Array.from(text.matchAll(pattern), ([, term]) => term);
}

/** A service with these files as assets 4711 and on. */
async function startWith(
  files: readonly (readonly [name: string, bytes: Buffer])[],
  whenDone: (end: () => Promise<void>) => void,
): Promise<EmulatorProcess> {
  const media = await mkdtemp(join(tmpdir(), 'marked-'));
  for (const [name, bytes] of files) await writeFile(join(media, name), bytes);
  const emulator = await startEmulatorProcess({ media });
  whenDone(async () => {
    await emulator.stop();
    await rm(media, { recursive: true, force: true });
  });
  return emulator;
}

const marked = markOf(generated);
const emulator: EmulatorProcess = await startWith(
  [
    ['1-plain.jpg', await drawMarked('jpeg')],
    ['2-generated.jpg', await drawMarked('jpeg', { xmp: marked })],
    ['3-moving.gif', await drawMarked('gif', { xmp: marked, frames: 3 })],
    ['4-signed.jpg', withManifest('jpeg', await drawMarked('jpeg', { color: '#a06020' }))],
    ['5-signed.png', withManifest('png', await drawMarked('png', { xmp: marked }))],
  ],
  afterAll,
);
const id = { plain: 4711, generated: 4712, moving: 4713, signed: 4714, signedPng: 4715 };

const reading = (source?: string): AssetsOptions['record'] => ({
  fields: ['name'],
  read: () => ({ alt: '', source, credit: 'Photo: Ada' }),
});

describe('a published image', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'] as const)('has the mark as a %s', async (format) => {
    const images = await newBuild(emulator);
    const { asset, bytes } = await images.publishOne(id.generated, { format });
    expect(await marksIn(bytes)).toEqual([generated]);
    expect(asset.digitalSourceType).toBe(generated);
    const plain = await images.publishOne(id.plain, { format });
    expect(await marksIn(plain.bytes)).toEqual([]);
    expect(plain.asset.digitalSourceType).toBeUndefined();
  });

  test.each([
    ['webp', [generated]],
    ['gif', []],
  ] as const)('as an animated %s has the marks %j', async (format, marks) => {
    const { bytes } = await (await newBuild(emulator)).publishOne(id.moving, { format });
    expect(await marksIn(bytes)).toEqual(marks);
    expect((await sharp(bytes).metadata()).pages).toBe(3);
  });

  test('has the mark if it was cropped by a service that drops metadata', async () => {
    const service = emulatorClient(emulator);
    const images = await newBuild(emulator, {
      service: {
        ...service,
        files: {
          ...service.files,
          async customFormat(...asked) {
            const download = await service.files.customFormat(...asked);
            if (download.status !== 'received') throw new Error('It has no condition.');
            const bytes = await sharp(await new Response(download.body).arrayBuffer()).toBuffer();
            return { ...download, body: new Blob([new Uint8Array(bytes)]).stream() };
          },
        },
      },
    });
    const crop = { x: 0, y: 0, width: 6, height: 4 };
    const { asset, bytes } = await images.publishOne(id.generated, { crop });
    expect(await marksIn(bytes)).toEqual([generated]);
    expect(asset).toMatchObject({ width: 6, customFormatUrl: expect.stringContaining('w=6') });
  });

  test('has the mark of the record, which overrides the original', async () => {
    const source = `${vocabulary}digitalCapture`;
    const images = await newBuild(emulator, { record: reading(source) });
    for (const one of [id.plain, id.generated]) {
      const { asset, bytes } = await images.publishOne(one);
      expect(await marksIn(bytes)).toEqual(['digitalCapture']);
      expect(asset.digitalSourceType).toBe('digitalCapture');
    }
  });

  test('has another URL with another mark', async () => {
    const urls = [undefined, 'digitalCapture', generated].map(async (source) => {
      const images = await newBuild(emulator, { record: reading(source) });
      return (await images.show(id.plain)).src;
    });
    expect(new Set(await Promise.all(urls)).size).toBe(3);
  });

  test("isn't made if the record's mark is a mistake", async () => {
    const images = await newBuild(emulator, { record: reading('AI') });
    expect(await codeOf(images.show(id.plain))).toBe('record-invalid');
  });

  test('has the mark if an earlier version has stored the original without it', async () => {
    const { cacheDir, open } = await openSite(emulator);
    const first = await open().publishOne(id.generated);
    for (const [path, content] of await filesBelow(cacheDir)) {
      if (!path.endsWith('facts.json')) continue;
      const facts = JSON.parse(String(content));
      const { digitalSourceType, ...original } = facts.sources.original;
      expect(digitalSourceType).toBe(generated);
      await writeFile(path, JSON.stringify({ ...facts, version: 2, sources: { original } }));
    }
    const { asset } = await open().publishOne(id.generated);
    expect(asset.src).toBe(first.asset.src);
  });
});

test('structured data names the digital source type, also alone', async () => {
  const images = await newBuild(emulator, { site: 'https://harbour.example' });
  const asset = await images.show(id.generated);
  expect(JSON.parse(structuredData(asset, '/') ?? '')).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ImageObject',
    contentUrl: asset.url,
    digitalSourceType: vocabulary + generated,
  });
  expect(structuredData(await images.show(id.plain), '/')).toBeUndefined();
});

describe('a label', () => {
  const texts = {
    [generated]: { en: 'AI-generated', de: 'KI-generiert' },
    digitalCapture: 'Photograph',
  };

  test.each<[language: string, type: string, label: string | undefined]>([
    ['en', generated, 'AI-generated'],
    ['fr', generated, 'KI-generiert'],
    ['', generated, 'KI-generiert'],
    ['constructor', generated, 'KI-generiert'],
    ['en', 'screenCapture', undefined],
    ['en', 'constructor', undefined],
  ])('in the language %s for %s is %s', (language, type, label) => {
    expect(readSourceLabels(texts, 'de')(type, language)).toBe(label);
  });

  test("in a region is the language's, and not the one of the site's main language", () => {
    expect(readSourceLabels(texts, 'en')(generated, 'de-AT')).toBe('KI-generiert');
  });

  test('in a language without a text is the first one', () => {
    expect(readSourceLabels(texts, '')(generated, 'fr')).toBe('AI-generated');
  });

  test('for an unknown type is a mistake in the options', () => {
    expect(() => readSourceLabels({ trainedAlgorithmicMdia: 'AI' }, '')).toThrow(
      'sourceLabels.trainedAlgorithmicMdia: unknown type. Did you mean `trainedAlgorithmicMedia`?',
    );
  });

  test('comes with the image and with its credit, which reads the original for it', async () => {
    const images = await newBuild(emulator, { sourceLabel: readSourceLabels(texts, 'en') });
    expect(await images.getMediaCredit({ id: id.generated, locale: 'de' })).toMatchObject({
      digitalSourceType: generated,
      sourceLabel: 'KI-generiert',
    });
    expect(await images.getMediaCredit({ id: id.plain })).toMatchObject({ sourceLabel: undefined });
    expect((await images.show(id.generated)).sourceLabel).toBe('AI-generated');
  });

  test('is not a reason to download a file that is no image', async () => {
    const sourceLabel = readSourceLabels(texts, 'en');
    const files = { allow: ['picture' as const] };
    const images = await newBuild(emulator, { sourceLabel, files });
    await images.getMediaFile({ id: id.plain });
    emulator.clearLog();
    expect(await images.getMediaCredit({ id: id.plain })).toMatchObject({ sourceLabel: undefined });
    expect(emulator.log().filter(({ path }) => path.includes('/download/'))).toEqual([]);
  });
});

test('the Content Credentials of originals are not in published images', async () => {
  const images = await newBuild(emulator);
  const assets = [id.signed, id.signedPng].map((one) => images.show(one));
  const files = await images.publish(...(await Promise.all(assets)));
  expect(files.size).toBeGreaterThan(1);
  expect(images.findings).toEqual([]);
  for (const bytes of files.values()) expect(Buffer.from(bytes).includes('c2pa')).toBe(false);
});

test('a file that is published unchanged keeps its bytes, with all marks', async () => {
  const images = await newBuild(emulator, { files: { allow: ['picture'] } });
  const file = await images.getMediaFile({ id: id.signedPng });
  const files = await images.publish({ renditions: [{ url: file.src }] });
  const original = await readFile(join(emulator.mediaDir, '5-signed.png'));
  expect(original.equals(files.get(file.src) as Buffer)).toBe(true);
  expect(images.findings).toEqual([]);
});

test('of 300 files in all formats, every rendition of a marked one except a GIF is marked, and no other', {
  tags: ['slow'],
  timeout: 300_000,
}, async () => {
  const count = 300;
  const files = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const format = drawnFormats[at % drawnFormats.length] ?? 'jpeg';
      const color = `#${(0x100000 + at * 37).toString(16)}`;
      const frames = format === 'gif' && at % 4 < 2 ? 2 : 1;
      const isMarked = at % 2 === Math.floor(at / 6) % 2;
      const name = `${String(at).padStart(4, '0')}.${format}`;
      const bytes = await drawMarked(format, { color, frames, ...(isMarked && { xmp: marked }) });
      return { name, bytes, isMarked };
    }),
  );
  const service = await startWith(
    files.map(({ name, bytes }) => [name, bytes] as const),
    onTestFinished,
  );
  const images = await newBuild(service);
  const formats = ['avif', 'webp', 'jpeg', 'png', 'gif'] as const;
  const props = { formats, effort: 1, densities: [1], layout: 'none' } as const;
  const assets = await Promise.all(files.map((_, at) => images.show(4711 + at, props)));
  const published = await images.publish(...assets.flatMap((one) => [one, ...one.sources]));
  let checked = 0;
  for (const [at, asset] of assets.entries()) {
    const { name, isMarked } = files[at] ?? {};
    for (const { url } of [asset, ...asset.sources].flatMap((one) => one.renditions)) {
      const marks = await marksIn(published.get(url) ?? new Uint8Array());
      const expected = isMarked && !url.endsWith('.gif') ? [generated] : [];
      expect(marks, `${name}, ${url}`).toEqual(expected);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(4 * count);
});

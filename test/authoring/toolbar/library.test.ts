import { beforeEach, expect, test } from 'vitest';
import type { RecordFields } from '../../../src/assets/records/asset-record.ts';
import { openLibrary } from '../../../src/authoring/toolbar/library.ts';
import type { AssetsRequest } from '../../../src/authoring/toolbar/protocol.ts';
import { cacheFolder, emulatorClient, openImages, startService } from '../../assets/open-images.ts';

const images = Array.from({ length: 6 }, (_, index) => ({
  path: `${index < 4 ? 'boats' : 'nets'}/image-${index}.png`,
  width: 40 + index,
  height: 30,
}));
const emulator = await startService(images);

beforeEach(() => emulator.clearLog());

async function open(url = emulator.url) {
  const cacheDir = await cacheFolder();
  const service = emulatorClient({ url }, { attempts: 1 });
  const reported = async (id: number) => [{ page: `https://example.com/${id}/` }];
  const record = {
    fields: ['alt_en', 'alt_de', 'consent'],
    read: ({ consent, ...alts }: RecordFields, { locale = 'en' }) => ({
      alt: alts[`alt_${locale}`],
      rights: consent === 'no' ? 'forbidden' : 'allowed',
    }),
  };
  const images = openImages({ service, cacheDir, mode: 'dev', record });
  return { library: openLibrary({ service, cacheDir, images, reported }), cacheDir };
}

const ask = (request: Partial<AssetsRequest>): AssetsRequest => ({
  ...{ offset: 0, limit: 100, ...request },
});
/** The list requests since the start of the test. */
const lists = () => emulator.log().filter(({ path }) => /\/(?:files|search\/file)$/.test(path));

test('lists the folders, each after its parent', async () => {
  const { library } = await open();
  const { folders } = await library.folders();
  expect(folders.map(({ name }) => name)).toEqual(expect.arrayContaining(['boats', 'nets']));
  expect(folders[0]?.depth).toBe(0);
});

test('lists the assets of a folder and of a search', async () => {
  const { library } = await open();
  const { folders } = await library.folders();
  const nets = folders.find(({ name }) => name === 'nets')?.id;
  const answer = await library.assets(ask({ folder: nets }));
  expect(answer).toMatchObject({ more: false, from: 'service' });
  expect(answer.assets.map(({ name }) => name)).toEqual(['image-4', 'image-5']);
  const found = await library.assets(ask({ search: 'image-2' }));
  expect(found.assets).toMatchObject([{ id: 4713, kind: 'image' }]);
});

test('lists the assets of all folders, also without a search', async () => {
  const { library } = await open();
  const { assets } = await library.assets(ask({}));
  expect(assets.map(({ id }) => id).sort()).toEqual([4711, 4712, 4713, 4714, 4715, 4716]);
});

test("says in lists which assets the site may not show, and an asset's text in a language", async () => {
  const editor = emulatorClient(emulator);
  await editor.files.update(4712, { consent: 'no', alt_en: 'A dinghy', alt_de: 'Ein Dingi' });
  const { library } = await open();
  for (const request of [{}, { search: 'image' }]) {
    const { assets } = await library.assets(ask(request));
    const marked = assets.filter(({ isForbidden }) => isForbidden);
    expect(marked.map(({ id }) => id)).toEqual([4712]);
  }
  const { record } = await library.asset({ id: 4712, locale: 'de' });
  expect(record).toMatchObject({ alt: 'Ein Dingi', rights: 'forbidden', isForbidden: true });
  expect((await library.asset({ id: 4712 })).record?.alt).toBe('A dinghy');
});

test('continues a list instead of reading it again', async () => {
  const { library } = await open();
  const first = await library.assets(ask({ search: 'image', limit: 2 }));
  expect(lists()).toHaveLength(1);
  const next = await library.assets(ask({ search: 'image', limit: 4, offset: 2 }));
  expect([first.more, next.more]).toEqual([true, false]);
  const ids = [...first.assets, ...next.assets].map(({ id }) => id);
  expect(ids).toEqual([4711, 4712, 4713, 4714, 4715, 4716]);
  // At the end, the client looks for further pages. It requests nothing twice.
  const queries = lists().map(({ query }) => query);
  expect(new Set(queries).size).toBe(queries.length);
});

test('reads a list again from its start if it is asked for again', async () => {
  const { library } = await open();
  for (let times = 0; times < 2; times++) {
    await library.assets(ask({ search: 'image', limit: 2 }));
  }
  expect(lists()).toHaveLength(2);
});

test('leaves out other kinds', async () => {
  const { library } = await open();
  const { assets } = await library.assets(ask({ search: 'image', kind: 'video' }));
  expect(assets).toEqual([]);
});

test('says which pages use an asset', async () => {
  const { library } = await open();
  await library.assets(ask({ search: 'image-0' }));
  expect(await library.asset({ id: 4711 })).toMatchObject({
    ...{ name: 'image-0', kind: 'image', usages: [] },
    reported: [{ page: 'https://example.com/4711/' }],
  });
});

test('lists the cached assets if the service cannot be reached', async () => {
  const gone = 'http://127.0.0.1:1';
  const { library, cacheDir } = await open(gone);
  expect(await library.assets(ask({}))).toMatchObject({ assets: [], from: 'cache' });
  const service = emulatorClient(emulator);
  const shown = openImages({ service, cacheDir, mode: 'dev' });
  await shown.getMediaAsset({ id: 4711, alt: '', page: '/' });
  const { assets, notice } = await library.assets(ask({}));
  expect(assets).toMatchObject([{ id: 4711, kind: 'image', size: { width: 40, height: 30 } }]);
  expect(notice?.code).toBe('service-unreachable');
});

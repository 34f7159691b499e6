import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FieldValues } from '../../../src/assets/records/asset-record.ts';
import type { RightsRule } from '../../../src/assets/records/verdict.ts';
import { openLibrary } from '../../../src/authoring/toolbar/library.ts';
import type { AssetsRequest } from '../../../src/authoring/toolbar/protocol.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import { cacheFolder, emulatorClient, openImages, startService } from '../../assets/open-images.ts';

const images = Array.from({ length: 6 }, (_, index) => ({
  path: `${index < 4 ? 'boats' : 'nets'}/image-${index}.png`,
  width: 40 + index,
  height: 30,
}));
const emulator = await startService(images);

beforeEach(() => emulator.clearLog());

const i18n = { locales: ['en', 'de'], defaultLocale: 'en' };
const languages = siteLanguages({ i18n, base: '/' });

async function open(of: { url: string } = emulator) {
  const cacheDir = await cacheFolder();
  const service = emulatorClient(of, { attempts: 1 });
  const record = {
    fields: ['alt_en', 'alt_de'],
    read: ({ alt_de, alt_en }: FieldValues, { locale = 'en' }) => ({
      alt: (locale === 'de' && alt_de) || alt_en,
    }),
  };
  const rights: RightsRule = {
    fields: ['consent'],
    read: ({ consent }: FieldValues) => ({ state: consent === 'no' ? 'forbidden' : 'allowed' }),
    ...{ forbidden: 'warn', unknown: 'forbid', warnDays: 30 },
  };
  const images = openImages({ service, cacheDir, mode: 'dev', record, rights, languages });
  const progress: number[] = [];
  const upload = { limit: 100_000, onProgress: (part: number) => progress.push(part) };
  const library = openLibrary({ service, images, languages, upload });
  return { library, service, progress };
}

const ask = (request: Partial<AssetsRequest>): AssetsRequest => ({
  ...{ offset: 0, limit: 100, ...request },
});
/** The list requests since the start of the test. */
const lists = () => emulator.log().filter(({ path }) => /\/(?:files|search\/file)$/.test(path));

test('lists the assets of a folder, of a search, and of all folders', async () => {
  const { library } = await open();
  const { folders } = await library.folders();
  expect(folders[0]?.depth).toBe(0);
  const nets = folders.find(({ name }) => name === 'nets')?.id;
  const answer = await library.assets(ask({ folder: nets }));
  expect(answer).toMatchObject({ more: false });
  expect(answer.assets.map(({ name }) => name)).toEqual(['image-4', 'image-5']);
  const found = await library.assets(ask({ search: 'image-2' }));
  expect(found.assets).toMatchObject([{ id: 4713, kind: 'image' }]);
  const { assets } = await library.assets(ask({}));
  expect(assets.map(({ id }) => id).sort()).toEqual([4711, 4712, 4713, 4714, 4715, 4716]);
});

test("says in lists which assets the site may not show, and an asset's text in a language", async () => {
  const editor = emulatorClient(emulator);
  await editor.files.update(4712, { consent: 'no', alt_en: 'A dinghy', alt_de: 'Ein Dingi' });
  const { library } = await open();
  for (const request of [{}, { search: 'image' }]) {
    const { assets } = await library.assets(ask(request));
    const marked = assets.filter(({ rights }) => rights === 'forbidden');
    expect(marked.map(({ id }) => id)).toEqual([4712]);
  }
  const { record, usages } = await library.asset({ id: 4712, locale: 'de' });
  expect(record).toMatchObject({ alt: 'Ein Dingi', rights: 'forbidden', isForbidden: true });
  expect(usages).toEqual([]);
  expect((await library.asset({ id: 4712 })).record?.alt).toBe('A dinghy');
});

test('reads singly what lists lack of the assets that people see, and names those not known', async () => {
  const few = await startService(images, { listedFields: 'id,name' });
  const editor = emulatorClient(few);
  for (const id of [4711, 4713]) await editor.files.update(id, { consent: 'yes' });
  await editor.files.update(4712, { consent: 'no' });
  const { library } = await open(few);
  const seen = async (request: Partial<AssetsRequest>) => {
    few.clearLog();
    const { assets } = await library.assets(ask(request));
    const singly = few.log().filter(({ path }) => /^\/1\/file\/\d+$/.test(path)).length;
    return [assets.map(({ rights }) => rights), singly];
  };
  expect(await seen({ limit: 3 })).toEqual([['allowed', 'forbidden', 'allowed'], 3]);
  // The service has the field, so these have no value, and the site allows that.
  expect(await seen({ limit: 3, offset: 3 })).toEqual([['allowed', 'allowed', 'allowed'], 3]);
  const without = await startService(images, { listedFields: 'id,name', recordCall: 'missing' });
  const other = await open(without);
  const { assets } = await other.library.assets(ask({}));
  expect(new Set(assets.map(({ rights }) => rights))).toEqual(new Set(['unknown']));
});

test('continues a list instead of reading it again, unless its start is asked for', async () => {
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
  await library.assets(ask({ search: 'image', limit: 2 }));
  expect(lists()).toHaveLength(queries.length + 1);
});

test('leaves out other kinds', async () => {
  const { library } = await open();
  const { assets } = await library.assets(ask({ search: 'image', kind: 'video' }));
  expect(assets).toEqual([]);
});

describe('an upload', () => {
  const body = async function* (...parts: (string | Buffer)[]) {
    for (const part of parts) yield Buffer.from(part);
  };
  const request = { filename: 'quay.txt', folder: 1, name: 'Quay', alt: 'Ein Kai', locale: 'de' };
  const posts = () => emulator.log().filter(({ path }) => path === '/1/file');
  const folderOf = async ({ library }: Awaited<ReturnType<typeof open>>) =>
    (await library.folders()).folders[0]?.id ?? 0;

  test('has its name, and the alt text in the field that the site reads in its language', async () => {
    const opened = await open();
    const folder = await folderOf(opened);
    const answer = await opened.library.upload({ ...request, folder }, body('one', 'two'));
    expect(answer).toMatchObject({ isSame: false, asset: { name: 'Quay', bytes: 6 } });
    const { fields } = await opened.service.files.record(answer.asset.id, {
      fields: ['name', 'filename', 'alt_de', 'alt_en'],
    });
    expect(fields).toMatchObject({ name: 'Quay', filename: 'quay.txt', alt_de: 'Ein Kai' });
    expect(fields.alt_en ?? null).toBeNull();
    expect(opened.progress.at(-1)).toBe(1);
    const { body: saved } = (await opened.service.files.original(answer.asset.id)) as never;
    expect(await text(saved)).toBe('onetwo');
  });

  test('is nothing new if a file has the same bytes, and not only the same size', async () => {
    const opened = await open();
    const folder = await folderOf(opened);
    const upload = (content: string) =>
      opened.library.upload({ ...request, folder }, body(content));
    const first = await upload('a file');
    expect(await upload('a life')).toMatchObject({ isSame: false });
    emulator.clearLog();
    expect(await upload('a file')).toMatchObject({ isSame: true, asset: { id: first.asset.id } });
    expect(posts()).toEqual([]);
  });

  test('that is too large ends early, and leaves nothing', async () => {
    const { library } = await open();
    let parts = 0;
    const endless = async function* () {
      for (; ; parts += 1) yield Buffer.alloc(60_000);
    };
    await expect(library.upload(request, endless())).rejects.toMatchObject({
      code: 'upload-too-large',
      message: 'quay.txt is larger than the limit of 100000 bytes.',
    });
    expect(parts).toBe(1);
    expect(posts()).toEqual([]);
  });
});

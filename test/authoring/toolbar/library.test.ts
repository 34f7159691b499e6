import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PeopleAssets } from '../../../src/assets/people-assets.ts';
import { listedRecords, type RecordRule, recordRule } from '../../../src/assets/records/records.ts';
import type { RightsRule } from '../../../src/assets/records/verdict.ts';
import { readFacts } from '../../../src/assets/store/asset-facts.ts';
import { assetFolders } from '../../../src/assets/store/asset-folder.ts';
import { type Library, openLibrary } from '../../../src/authoring/toolbar/library.ts';
import type { AssetsAnswer, AssetsRequest, Only } from '../../../src/authoring/toolbar/protocol.ts';
import { createUpload } from '../../../src/authoring/toolbar/upload.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import type { RecordFields } from '../../../src/config/record-option.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import type { FileRecord, MediaService } from '../../../src/service/types.ts';
import { cacheFolder, emulatorClient, openImages, startService } from '../../assets/open-images.ts';
import { postUsage, usageBody } from '../../support/service/usage-posts.ts';

const images = Array.from({ length: 6 }, (_, index) => ({
  path: `${index < 4 ? 'boats' : 'nets'}/image-${index}.png`,
  width: 40 + index,
  height: 30,
}));
const emulator = await startService(images);

beforeEach(() => emulator.clearLog());

const i18n = { locales: ['en', 'de'], defaultLocale: 'en' };
const languages = siteLanguages({ i18n, base: '/' });

async function open(of: { url: string } = emulator, site = languages) {
  const cacheDir = await cacheFolder();
  const service = emulatorClient(of, { attempts: 1 });
  const record = {
    fields: ['alt_en', 'alt_de'],
    read: ({ alt_de, alt_en }: RecordFields, { locale = 'en' }) => ({
      alt: (locale === 'de' && alt_de) || alt_en,
      focus: { x: 0.9, y: 0.1 },
    }),
  };
  const rights: RightsRule = {
    fields: ['consent'],
    read: ({ consent }: RecordFields) => ({ state: consent === 'no' ? 'forbidden' : 'allowed' }),
    ...{ forbidden: 'warn', unknown: 'forbid', warnDays: 30 },
  };
  const images = openImages({ service, cacheDir, mode: 'dev', record, rights, languages: site });
  const progress: number[] = [];
  const library = openLibrary({ service, images, languages: site, concurrency: 4 });
  const upload = createUpload({
    ...{ service, library, listedRecords: images.listedRecords, limit: 100_000 },
    onProgress: (part) => progress.push(part),
  });
  return { library, upload, service, images, cacheDir, progress };
}

/** Asks until the answer is whole, as the app does. */
async function ask(library: Library, request: Partial<AssetsRequest> = {}): Promise<AssetsAnswer> {
  const asked = { limit: 100, again: false, ...request };
  let answer = await library.assets(asked);
  while (answer.isReading) answer = await library.assets({ ...asked, again: true });
  return answer;
}
test('lists the assets of a folder, of a search, and of all folders', async () => {
  const { library } = await open();
  const { folders } = await library.folders();
  expect(folders[0]?.depth).toBe(0);
  const nets = folders.find(({ name }) => name === 'nets')?.id;
  const answer = await ask(library, { folder: nets });
  expect(answer).toMatchObject({ total: 2 });
  expect(answer.assets.map(({ name }) => name)).toEqual(['image-4', 'image-5']);
  const found = await ask(library, { search: 'image-2' });
  expect(found.assets).toMatchObject([{ id: 4713, kind: 'image' }]);
  const { assets } = await ask(library);
  expect(assets.map(({ id }) => id).sort()).toEqual([4711, 4712, 4713, 4714, 4715, 4716]);
});

test("says in lists which assets the site may not show, and an asset's text in a language", async () => {
  const editor = emulatorClient(emulator);
  await editor.files.update(4712, { consent: 'no', alt_en: 'A dinghy', alt_de: 'Ein Dingi' });
  const { library } = await open();
  for (const request of [{}, { search: 'image' }]) {
    const { assets } = await ask(library, request);
    const marked = assets.filter(({ rights }) => rights === 'forbidden');
    expect(marked.map(({ id }) => id)).toEqual([4712]);
  }
  const { record, usages } = await library.asset({ id: 4712, locale: 'de' });
  expect(record).toMatchObject({ alt: 'Ein Dingi', rights: 'forbidden', isForbidden: true });
  expect(record?.focus).toEqual({ x: 0.9, y: 0.1 });
  expect(usages).toEqual([]);
  expect((await library.asset({ id: 4712 })).record?.alt).toBe('A dinghy');
});

describe("an asset's alt texts by language", () => {
  test('are what pages show without a text of their own', async () => {
    await emulatorClient(emulator).files.update(4713, { alt_de: 'Eine Jolle' });
    const { library } = await open();
    expect((await library.asset({ id: 4713, locale: 'de' })).alts).toEqual([
      { language: 'en', alt: '' },
      { language: 'de', alt: 'Eine Jolle' },
    ]);
  });

  test('are of no page: a build compares those that its pages show', async () => {
    const { library, images, cacheDir } = await open();
    await library.asset({ id: 4713, locale: 'de' });
    await images.save();
    const facts = assetFolders(cacheDir).map(({ path }) => readFacts(path)?.record?.outcomes);
    expect(facts.map((outcomes = {}) => Object.keys(outcomes))).toEqual([['en']]);
  });

  test("aren't known in an outage, which isn't the same as none", async () => {
    const { library } = await open({ url: 'http://127.0.0.1:1' });
    const alts = (await library.asset({ id: 4713 })).alts;
    expect(alts).toEqual([{ language: 'en' }, { language: 'de' }]);
  });

  test('are left out on a site with one language', async () => {
    const { library } = await open(emulator, siteLanguages({ base: '/' }));
    expect((await library.asset({ id: 4713 })).alts).toBeUndefined();
  });
});

test('reads singly what lists lack of the assets that people see, and names those not known', async () => {
  const few = await startService(images, { listedFields: 'id,name' });
  const editor = emulatorClient(few);
  for (const id of [4711, 4713]) await editor.files.update(id, { consent: 'yes' });
  await editor.files.update(4712, { consent: 'no' });
  const { library } = await open(few);
  const seen = async (request: Partial<AssetsRequest>) => {
    few.clearLog();
    const { assets } = await ask(library, request);
    const singly = few.log().filter(({ path }) => /^\/1\/file\/\d+$/.test(path)).length;
    return [assets.map(({ rights }) => rights), singly];
  };
  expect(await seen({ limit: 3 })).toEqual([['allowed', 'forbidden', 'allowed'], 3]);
  // The service has the field, so the others have no value, and the site allows that.
  const all = ['allowed', 'forbidden', 'allowed', 'allowed', 'allowed', 'allowed'];
  expect(await seen({ limit: 6 })).toEqual([all, 3]);
  const without = await startService(images, { listedFields: 'id,name', recordCall: 'missing' });
  const other = await open(without);
  const { assets } = await ask(other.library);
  expect(new Set(assets.map(({ rights }) => rights))).toEqual(new Set(['unknown']));
});

describe('a library', () => {
  /** The files of folders, by name, and answers that wait until a test lets them go. */
  function shelf(folders: Readonly<Record<string, readonly Partial<FileRecord>[]>>) {
    const asked: string[] = [];
    const held = new Map<string, PromiseWithResolvers<void>>();
    const names = Object.keys(folders);
    const record = (file: Partial<FileRecord>): FileRecord => {
      const { id = 1, name, filename = 'a.jpg' } = file;
      return { name, filename, fields: {}, ...file, id };
    };
    const answer = async (name: string) => {
      asked.push(name);
      await held.get(name)?.promise;
    };
    async function* files(name: string) {
      await answer(name);
      for (const file of folders[name] ?? []) yield record(file);
    }
    const service = {
      clockAhead: () => 0,
      folders: {
        async tree() {
          await answer('tree');
          return names.map((name, id) => ({ ...{ id, name, depth: 0, fields: {} }, children: [] }));
        },
        files: (id: number) => files(names[id] ?? ''),
      },
      // It finds whole names only.
      async *search(text: string) {
        await answer(`search ${text}`);
        const all = Object.values(folders).flat();
        for (const file of all) if (file.name === text) yield record(file);
      },
      files: {
        async record(id: number) {
          await answer(`record ${id}`);
          const file = Object.values(folders)
            .flat()
            .find((file) => file.id === id);
          return file
            ? record(file)
            : Promise.reject(mediaAssetError('library-unknown', { what: 'asset', id }));
        },
      },
    } as unknown as MediaService;
    const images = { describeRecord: async () => undefined, original: async () => undefined };
    const library = (listedRecords?: PeopleAssets['listedRecords'], concurrency = 8) =>
      openLibrary({
        ...{ service, languages, concurrency, images: { ...images, listedRecords } },
      });
    return {
      ...{ asked, answer, service, library },
      hold(name: string) {
        const gate = Promise.withResolvers<void>();
        gate.promise.catch(() => {});
        held.set(name, gate);
        return gate;
      },
    };
  }
  const numbered = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: first + index, name: 'Quay' }));
  const idsOf = ({ assets }: AssetsAnswer) => assets.map(({ id }) => id);
  const first = { limit: 50, again: false };

  test('reads folders side by side, and shows the first ones while others are on their way', async () => {
    const { hold, asked, library } = shelf({
      boats: numbered(1, 2),
      nets: numbered(11, 2),
      sails: [],
    });
    const boats = hold('boats');
    const opened = library();
    const answer = await opened.assets(first);
    expect(asked).toEqual(['tree', 'boats', 'nets', 'sails']);
    expect([idsOf(answer), answer.isReading]).toEqual([[11, 12], true]);
    boats.resolve();
    // The order of the service's folders.
    expect(idsOf(await ask(opened))).toEqual([1, 2, 11, 12]);
    expect(await ask(opened)).toMatchObject({ total: 4, isReading: false });
    expect(asked).toHaveLength(4);
  });

  test('reads at most as many folders at a time as the service allows, but the chosen one at once', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const { hold, asked, library } = shelf(
      Object.fromEntries(names.map((name, index) => [name, numbered(10 * index, 1)])),
    );
    for (const name of ['a', 'b']) hold(name);
    const opened = library(undefined, 3);
    await opened.folders();
    void opened.assets(first);
    await setImmediate();
    expect(asked).toEqual(['tree', 'a', 'b']);
    expect(idsOf(await opened.assets({ ...first, folder: 3 }))).toEqual([30]);
  });

  test('shows the other folders if one fails, says which, and reads it again when asked anew', async () => {
    const { hold, asked, library } = shelf({ boats: numbered(1, 2), nets: numbered(11, 1) });
    hold('boats').reject(mediaAssetError('library-unknown', { what: 'folder', id: 0 }));
    const opened = library();
    const answer = await ask(opened);
    expect(idsOf(answer)).toEqual([11]);
    expect(answer.failure).toMatchObject({ code: 'library-unknown' });
    expect(answer.failure?.message).toMatch(/^boats couldn't be read\. /);
    hold('boats').resolve();
    expect(await ask(opened)).toMatchObject({ total: 3, failure: undefined });
    expect(asked.filter((name) => name === 'nets')).toHaveLength(1);
  });

  describe('a filter for assets that are used nowhere', () => {
    /** Assets 1 to 6, of which 2 is used, also by no page that's named, and 3 fails. */
    function usedShelf(concurrency = 8) {
      const { asked, answer, hold, service, library } = shelf({ a: numbered(1, 6) });
      const used = new Set([2]);
      const list = async (id: number) => {
        await answer(`usages ${id}`);
        if (id === 3) throw mediaAssetError('library-unknown', { what: 'asset', id });
        return used.has(id) ? [{ page: '' }] : [];
      };
      Object.assign(service, { usages: { list } });
      const listings = () => asked.filter((name) => name.startsWith('usages'));
      return { ...{ hold, used, listings }, opened: library(undefined, concurrency) };
    }
    const unused = { only: 'unused' } as const;

    test("finds them, and doesn't decide about one whose usages can't be read", async () => {
      const { opened, listings } = usedShelf();
      const answer = await ask(opened, unused);
      expect([idsOf(answer), answer.undecided, answer.failure]).toEqual([
        [1, 4, 5, 6],
        1,
        undefined,
      ]);
      expect(listings()).toHaveLength(6);
    });

    test('asks about as many as are shown, each once, in its turn', async () => {
      const { hold, opened, listings } = usedShelf(3);
      const gate = hold('usages 1');
      const early = await opened.assets({ ...first, ...unused, limit: 4 });
      expect([idsOf(early), early.isReading]).toEqual([[4], true]);
      gate.resolve();
      const answer = await ask(opened, { ...unused, limit: 4, again: true });
      expect([idsOf(answer), answer.undecided]).toEqual([[1, 4], 3]);
      expect(listings().sort()).toEqual(['usages 1', 'usages 2', 'usages 3', 'usages 4']);
    });

    test('shows what has changed since when it is asked anew', async () => {
      const { opened, used, listings } = usedShelf();
      await ask(opened, unused);
      used.add(1).delete(2);
      expect(idsOf(await ask(opened, { ...unused, again: true }))).toEqual([1, 4, 5, 6]);
      expect(listings()).toHaveLength(6);
      expect(idsOf(await ask(opened, unused))).toEqual([2, 4, 5, 6]);
    });

    test('leaves out requests that wait for an earlier question', async () => {
      const { hold, opened, listings } = usedShelf(2);
      const gate = hold('usages 1');
      const earlier = opened.assets({ ...first, ...unused });
      await expect.poll(listings).toEqual(['usages 1']);
      const later = opened.assets({ ...first, ...unused });
      gate.resolve();
      await Promise.all([earlier, later]);
      expect(idsOf(await ask(opened, { ...unused, again: true }))).toEqual([1, 4, 5, 6]);
      expect(listings()).toHaveLength(7);
    });

    test('leaves an author who asks something else alone', async () => {
      const { hold, opened, listings } = usedShelf(2);
      const gate = hold('usages 1');
      const earlier = opened.assets({ ...first, ...unused });
      await expect.poll(listings).toEqual(['usages 1']);
      const later = opened.assets(first);
      gate.resolve();
      await Promise.all([earlier, later]);
      expect((await ask(opened, { again: true })).isReading).toBe(false);
      expect(listings()).toEqual(['usages 1']);
    });

    test('asks three times a service that lists none', async () => {
      const missing = shelf({ a: numbered(3, 40) });
      const listed: number[] = [];
      const list = async (id: number) => {
        listed.push(id);
        throw mediaAssetError('library-unknown', { what: 'asset', id });
      };
      Object.assign(missing.service, { usages: { list } });
      const opened = missing.library(undefined, 2);
      expect(await ask(opened, unused)).toMatchObject({ total: 0, undecided: 40 });
      expect(listed).toHaveLength(3);
    });

    test('is offered without a request', async () => {
      const { opened, listings } = usedShelf();
      expect((await opened.folders()).judges.usages).toBe(true);
      expect(listings()).toEqual([]);
    });

    test("isn't offered, and decides nothing, for people who can't list usages", async () => {
      const { asked, library } = shelf({ a: numbered(1, 2) });
      const opened = library();
      expect((await opened.folders()).judges.usages).toBe(false);
      expect(asked).toEqual(['tree']);
      expect(await ask(opened, unused)).toMatchObject({ total: 0, undecided: 2 });
    });

    test.each([
      ['bare', true],
      ['paged', true],
      ['missing', false],
    ] as const)('with a list of usages that is %s decides: %s', async (usageList, decides) => {
      const service = await startService(images, { usageList });
      await postUsage(service, { ...usageBody, id: [4712] });
      const { library } = await open(service);
      const { total, undecided } = await ask(library, unused);
      expect([total, undecided]).toEqual(decides ? [5, 0] : [0, 6]);
    });
  });

  test.each<[search: string, found: number[]]>([
    // The service finds this one itself, so it comes first.
    ['Björn', [3, 2, 4]],
    ['bjorn', [2, 3, 4]],
    ['STRASSE bjo', [4]],
    ['2', [2]],
    ['7', [7]],
    ['nothing', []],
  ])('a search for %s finds %j', async (search, found) => {
    const { library } = shelf({
      a: [
        { id: 2, name: 'Old Björn' },
        { id: 3, name: 'Björn' },
      ],
      b: [
        { id: 4, name: 'Bjo\u0308rn', filename: 'straße.jpg' },
        { id: 7, name: '8' },
      ],
    });
    expect(idsOf(await ask(library(), { search }))).toEqual(found);
  });

  test("an asset's ID comes before all that has the number in its name", async () => {
    const { library } = shelf({
      a: [
        { id: 4, name: '4737' },
        { id: 4737, name: 'Quay' },
      ],
    });
    const answer = await ask(library(), { search: '4737', sort: 'name' });
    expect(idsOf(answer)).toEqual([4737, 4]);
  });

  test('answers that arrive in another order belong to the question that asked for them', async () => {
    const { hold, library } = shelf({
      a: [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
    });
    const gate = hold('search one');
    const opened = library();
    const earlier = ask(opened, { search: 'one' });
    expect(idsOf(await ask(opened, { search: 'two' }))).toEqual([2]);
    gate.resolve();
    expect(idsOf(await earlier)).toEqual([1]);
  });

  test('sorts by name as people do, or the newest first, and has the last used in front', async () => {
    const { library } = shelf({
      a: [
        { id: 5, name: 'Quay 10' },
        { id: 9, name: 'quay 9' },
        { id: 7, name: 'Älg' },
      ],
    });
    const opened = library();
    opened.noteUse(5);
    opened.noteUse(7);
    expect(idsOf(await ask(opened))).toEqual([7, 5, 9]);
    expect(idsOf(await ask(opened, { sort: 'name' }))).toEqual([7, 9, 5]);
    expect(idsOf(await ask(opened, { sort: 'newest' }))).toEqual([9, 7, 5]);
  });

  test('filters 3,000 assets of one name within 300 ms of the processor', async () => {
    const files = numbered(1, 3000).map((file) => ({
      ...file,
      filename: file.id % 3 ? 'quay.jpg' : 'quay.pdf',
      fields: { consent: file.id % 10 ? 'yes' : 'no' },
    }));
    const { service, library } = shelf({ a: files });
    const opened = library(listedRecords(rule, { service, languages, now: Date.now }));
    await ask(opened);
    const before = process.cpuUsage();
    const documents = await ask(opened, { kind: 'document', limit: 50 });
    const forbidden = await ask(opened, { only: 'forbidden', limit: 50 });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(300);
    expect([documents.total, forbidden.total]).toEqual([1000, 300]);
    expect(idsOf(documents)[1]).toBe(6);
  });

  const rule = recordRule({
    record: { fields: ['alt'], read: ({ alt }) => ({ alt }) },
    rights: {
      fields: ['consent'],
      read: ({ consent }) => ({ state: consent === 'no' ? 'forbidden' : 'allowed' }),
      ...{ forbidden: 'warn', unknown: 'warn', warnDays: 30 },
    },
  }) as RecordRule;

  describe('a filter', () => {
    const files = [
      { id: 1, fields: { consent: 'yes', alt: 'A quay' } },
      { id: 2, fields: { consent: 'no', alt: null } },
      { id: 3, fields: { consent: null, alt: null } },
      { id: 4, filename: 'a.pdf', fields: { consent: 'yes', alt: null } },
    ];
    test.each<[only: Only, limit: number, found: number[], undecided: number]>([
      ['allowed', 1, [1, 4], 1],
      ['forbidden', 1, [2], 1],
      // Their own records agree with the list.
      ['unknown', 9, [], 0],
      ['allowed', 9, [1, 3, 4], 0],
      ['without-alt', 9, [2, 3], 0],
    ])(
      'for "%s", with at most %i requests for single assets, finds %j, and not %i',
      async (only, limit, found, undecided) => {
        const { service, library } = shelf({ a: files });
        const opened = library(listedRecords(rule, { service, languages, now: Date.now }));
        await opened.folders();
        const answer = await ask(opened, { only, limit });
        expect({ total: answer.total, undecided: answer.undecided }).toEqual({
          total: found.length,
          undecided,
        });
      },
    );
  });
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
    const answer = await opened.upload({ ...request, folder }, body('one', 'two'));
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

  test('says if the site has no field for its alt text', async () => {
    const { service, library } = await open();
    const upload = createUpload({
      ...{ service, library, limit: 100_000, onProgress() {} },
      listedRecords: undefined,
    });
    const answer = await upload({ ...request, folder: 1 }, body('no field'));
    expect(answer).toMatchObject({ isSame: false, lacksAlt: true });
    const { alt: _, ...without } = request;
    expect(await upload(without, body('no text'))).toMatchObject({ lacksAlt: false });
  });

  test('is nothing new if a file has the same bytes, and not only the same size', async () => {
    const opened = await open();
    const folder = await folderOf(opened);
    const upload = (content: string) => opened.upload({ ...request, folder }, body(content));
    const first = await upload('a file');
    expect(await upload('a life')).toMatchObject({ isSame: false });
    emulator.clearLog();
    expect(await upload('a file')).toMatchObject({ isSame: true, asset: { id: first.asset.id } });
    expect(posts()).toEqual([]);
  });

  test('whose answer was lost is found by the next try', async () => {
    const opened = await open();
    const folder = await folderOf(opened);
    const upload = () => opened.upload({ ...request, folder }, body('an answer'));
    await emulator.setFaults([{ kind: 'reset-after', call: 'upload' }]);
    await expect(upload()).rejects.toMatchObject({ code: 'upload-incomplete' });
    await emulator.clearFaults();
    expect(await upload()).toMatchObject({ isSame: true });
    expect(posts()).toHaveLength(1);
  });

  test('that the service is still processing is found by the next one', async () => {
    const opened = await open();
    const folder = await folderOf(opened);
    const upload = () => opened.upload({ ...request, folder }, body('not yet'));
    await emulator.setSettings({ processes: 'none' });
    const answers = [await upload(), await upload()];
    await emulator.setSettings({ processes: 'all' });
    expect(answers.map(({ isSame }) => isSame)).toEqual([false, true]);
    expect(posts()).toHaveLength(1);
  });

  test('that is too large ends early, and leaves nothing', async () => {
    const { upload } = await open();
    let parts = 0;
    const endless = async function* () {
      for (; ; parts += 1) yield Buffer.alloc(60_000);
    };
    await expect(upload(request, endless())).rejects.toMatchObject({
      code: 'upload-too-large',
      message: 'quay.txt is larger than the limit of 100000 bytes.',
    });
    expect(parts).toBe(1);
    expect(posts()).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { Finding, MediaService } from '../../src/service/index.ts';
import { createRecordReader } from '../../src/service/read-records.ts';
import { emulatorClient, startService } from '../assets/open-images.ts';
import {
  failureOf,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from './scripted-service.ts';

describe('one record', () => {
  test.for<[string, Respond]>([
    ['an object', (to) => json(to, { id: 7, alttext: 'Quay' })],
    ['an array of one', (to) => json(to, [{ id: '7', alttext: 'Quay' }])],
    ['the field file', (to) => json(to, { file: { id: 7, alttext: 'Quay' } })],
  ])('is read from %s', async ([, respond]) => {
    const service = await startScriptedService({ respond });
    const fields = ['name', 'alttext'];
    const record = await scriptedClient(service.url).files.record(7, { fields });
    expect(record).toMatchObject({ id: 7, fields: { alttext: 'Quay' } });
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      url: '/1/file/7?fields=id,name,alttext',
    });
  });

  test.for<[string, string, Respond]>([
    ['answer-html', 'an HTML page', (to) => void to.end('<!doctype html>')],
    ['answer-unexpected', 'another record', (to) => json(to, { id: 8 })],
    ['answer-unexpected', 'two records', (to) => json(to, [{ id: 7 }, { id: 8 }])],
    ['answer-unexpected', 'nothing', (to) => void to.end()],
    ['request-refused', '404', status(404)],
  ])('fails with %s after %s', async ([code, , respond]) => {
    const service = await startScriptedService({ respond });
    expect(await failureOf(scriptedClient(service.url).files.record(7))).toMatchObject({ code });
  });
});

describe('an update', () => {
  const update = async (respond: Respond) => {
    const service = await startScriptedService({ respond });
    const answer = scriptedClient(service.url).files.update(7, { alttext: 'The quay' });
    return answer.catch(({ code }) => code);
  };

  test.for<[string, Respond, unknown]>([
    ['204', status(204), undefined],
    ['plain text', (to) => void to.end('OK'), undefined],
    ['null', (to) => json(to, null), undefined],
    ['an array of one', (to) => json(to, [{ id: '7' }]), expect.objectContaining({ id: 7 })],
    ['an object without an id', (to) => json(to, { result: 'done' }), undefined],
    ['an HTML page', (to) => void to.end('<!doctype html>'), 'answer-html'],
    ['two records', (to) => json(to, [{ id: 1 }, { id: 2 }]), 'answer-unexpected'],
    ['an empty list', (to) => json(to, []), 'answer-unexpected'],
  ])('that is answered with %s', async ([, respond, expected]) => {
    expect(await update(respond)).toEqual(expected);
  });
});

test('texts in other languages cost one request per asset and language, and lack what it lacks', async () => {
  const texts: Record<string, object> = {
    sv_SE: { id: 7, alttext: 'Kajen', gdprStatus: 'No' },
    de_DE: { id: 7 },
  };
  const service = await startScriptedService({
    respond: (to, { url }) => {
      const locale = new URL(url, 'http://a').searchParams.get('locale');
      json(to, locale ? texts[locale] : { id: 7, alttext: 'Quay', gdprStatus: 'OK' });
    },
  });
  const fields = ['alttext'];
  const reader = createRecordReader(scriptedClient(service.url), {
    fields: [...fields, 'gdprStatus'],
    texts: { fields, locales: { sv: 'sv_SE', de: 'de_DE' } },
  });
  for (let turn = 0; turn < 2; turn += 1)
    expect((await reader.read([7])).get(7)?.record).toMatchObject({
      fields: { alttext: 'Quay', gdprStatus: 'OK' },
      texts: { sv: { alttext: 'Kajen' }, de: { alttext: null } },
    });
  expect(service.requests.map(({ url }) => url)).toEqual([
    '/1/file/7?fields=id,alttext,gdprStatus',
    '/1/file/7?fields=id,alttext&locale=sv_SE',
    '/1/file/7?fields=id,alttext&locale=de_DE',
  ]);
});

describe('records of several assets', () => {
  const images = Array.from({ length: 8 }, (_, index) => ({
    path: `${index < 4 ? 'boats' : 'nets'}/image-${index}.png`,
    width: 4,
    height: 3,
  }));

  const emulators = {
    offered: startService(images),
    missing: startService(images, { recordCall: 'missing' }),
  };

  async function read({
    ids,
    recordCall,
    known = [],
  }: {
    ids: number[];
    recordCall: 'offered' | 'missing';
    /** The indexes of assets whose folder is known. */
    known?: number[];
  }) {
    const emulator = await emulators[recordCall];
    const service = emulatorClient(emulator, { attempts: 1 });
    const tree = await service.folders.tree();
    const folderOf = (id: number) => {
      const name = images[id - 4711]?.path.split('/')[0];
      return tree.find((folder) => folder.name === name)?.id ?? 0;
    };
    emulator.clearLog();
    const folders = new Map(known.map((id) => [id, folderOf(id)]));
    const found = await createRecordReader(service, { fields: ['name'], folders }).read(ids);
    const requests = emulator.log().map(({ path }) => path.replace(/(?<=.)\/\d+/g, '/#'));
    for (const [id, { folder }] of found)
      if (folder !== undefined) expect(folder).toBe(folderOf(id));
    return { names: [...found].map(([id, { record }]) => `${id} ${record.name}`).sort(), requests };
  }

  test.each<[string, Parameters<typeof read>[0], string[]]>([
    [
      'one request each, if their folders are unknown',
      { ids: [4711, 4716], recordCall: 'offered' },
      ['/1/file/#', '/1/file/#'],
    ],
    [
      'one list for a folder that holds several, and one request for each other',
      { ids: [4711, 4712, 4713, 4716], recordCall: 'offered', known: [4711, 4712, 4713, 4716] },
      ['/1/folder/#/files', '/1/file/#'],
    ],
    [
      'the folder lists, without a call for one',
      { ids: [4711, 4716], recordCall: 'missing' },
      ['/1/file/#', '/1/file/#', '/1/foldertree', ...Array(3).fill('/1/folder/#/files')],
    ],
    [
      'no further list once all are found',
      { ids: [4711, 4712], recordCall: 'missing', known: [4711, 4712] },
      ['/1/folder/#/files'],
    ],
  ])('come with %s', async (_, request, expected) => {
    const { names, requests } = await read(request);
    expect(names).toEqual(request.ids.map((id) => `${id} image-${id - 4711}`));
    expect(requests).toEqual(expected);
  });

  test('are read to the end of a page, which has the assets that come later', async () => {
    const emulator = await emulators.offered;
    const service = emulatorClient(emulator);
    const boats = (await service.folders.tree()).find(({ name }) => name === 'boats');
    const folders = new Map([4711, 4712].map((id) => [id, boats?.id ?? 0]));
    const reader = createRecordReader(service, { fields: ['name'], folders });
    emulator.clearLog();
    await reader.read(folders.keys());
    const later = await reader.read([4714]);
    expect([later.get(4714)?.folder, emulator.log().length]).toEqual([boats?.id, 1]);
  });

  test.each([
    [404, ['/1/file/7', '/1/foldertree']],
    [410, ['/1/file/7']],
  ])('are looked for in the folder lists if %i may mean the call', async (code, expected) => {
    const service = await startScriptedService({
      respond: (to, request) =>
        request.url.startsWith('/1/file/') ? status(code)(to, request) : json(to, []),
    });
    const reader = createRecordReader(scriptedClient(service.url), { fields: ['name'] });
    expect(await reader.read([7])).toEqual(new Map());
    expect(service.requests.map(({ url }) => url.split('?')[0])).toEqual(expected);
  });

  test('are looked for in the lists alone once the call for one is known to be missing', async () => {
    const service = await startScriptedService({
      respond: (to, request) =>
        request.url.startsWith('/1/file/') ? status(404)(to, request) : json(to, []),
    });
    const reader = createRecordReader(scriptedClient(service.url), { fields: ['name'] });
    for (const id of [7, 8, 9]) await reader.read([id]);
    const single = service.requests.filter(({ url }) => url.startsWith('/1/file/'));
    expect(single.map(({ url }) => url.split('?')[0])).toEqual(['/1/file/7']);
  });

  test.each([
    [[1, 2], ['/1/folder/12/files']],
    [
      [1, 3],
      ['/1/folder/12/files', '/1/folder/12/files?cursor=2'],
    ],
    [
      [1, 6],
      ['/1/folder/12/files', '/1/folder/12/files?cursor=2', '/1/folder/12/files?cursor=4'],
    ],
  ])('are read from a list up to the page of the last one: %j', async (ids, expected) => {
    const service = await startScriptedService({
      respond(to, { url }) {
        const start = Number(new URL(url, 'http://a').searchParams.get('cursor') ?? 0);
        const files = [{ id: start + 1 }, { id: start + 2 }];
        json(to, { files, next: start < 6 ? `/1/folder/12/files?cursor=${start + 2}` : null });
      },
    });
    const folders = new Map(ids.map((id) => [id, 12]));
    const reader = createRecordReader(scriptedClient(service.url), { fields: ['name'], folders });
    expect([...(await reader.read(ids)).keys()]).toEqual(ids);
    const asked = service.requests.map(({ url }) => url.replace(/[?&](?!cursor)[^&]*/g, ''));
    expect(asked).toEqual(expected);
  });

  test('are read singly although lists lack a field, and that counts for no list', async () => {
    const service = await startScriptedService({
      respond(to, { url }) {
        const id = Number(/^\/1\/file\/(\d+)/.exec(url)?.[1]);
        json(to, id ? { id, rights: 'ok' } : [{ id: 1 }, { id: 2 }, { id: 3 }]);
      },
    });
    const reader = createRecordReader(scriptedClient(service.url), {
      fields: ['rights'],
      decisive: { fields: ['rights'], optional: [] },
      folders: new Map([1, 2, 3].map((id) => [id, 12])),
    });
    await reader.read([1, 2, 3]);
    expect((await reader.read([4])).get(4)?.record.fields).toMatchObject({ rights: 'ok' });
    const asked = service.requests.map(({ url }) => url.split('?')[0]);
    const singly = [1, 2, 3, 4].map((id) => `/1/file/${id}`);
    expect(asked).toEqual(['/1/folder/12/files', ...singly]);
  });

  test('come from lists once as many requests for one record were sent', async () => {
    const emulator = await emulators.offered;
    const reader = createRecordReader(emulatorClient(emulator), { fields: ['name'] });
    emulator.clearLog();
    for (const id of images.map((_, index) => 4711 + index))
      expect((await reader.read([id])).get(id)?.record.name).toBe(`image-${id - 4711}`);
    const requests = emulator.log().map(({ path }) => path.replace(/(?<=.)\/\d+/g, '/#'));
    expect(requests.filter((path) => !path.startsWith('/1/oauth2'))).toEqual([
      ...Array(3).fill('/1/file/#'),
      '/1/foldertree',
      ...Array(3).fill('/1/folder/#/files'),
    ]);
  });

  test('do not keep the folder of an asset that was moved out of it', async () => {
    const service = emulatorClient(await emulators.offered);
    const boats = (await service.folders.tree()).find(({ name }) => name === 'boats');
    const folders = new Map([4711, 4712, 4716].map((id) => [id, boats?.id ?? 0]));
    const found = await createRecordReader(service, { fields: ['name'], folders }).read([
      ...folders.keys(),
    ]);
    expect(Array.from(found, ([id, { folder }]) => [id, folder])).toEqual([
      [4711, boats?.id],
      [4712, boats?.id],
      [4716, undefined],
    ]);
  });

  test.each(['offered', 'missing'] as const)(
    'leave out an asset that the service does not have (call: %s)',
    async (recordCall) => {
      const { names } = await read({ ids: [4711, 999_999], recordCall });
      expect(names).toEqual(['4711 image-0']);
    },
  );
});

/** Calls a service that gives this answer. Returns the result and the findings. */
async function ask<T>(answer: unknown, call: (service: MediaService) => Promise<T>) {
  const findings: Finding[] = [];
  const service = await startScriptedService({ respond: (response) => json(response, answer) });
  const onFinding = (finding: Finding) => void findings.push(finding);
  const value = await call(scriptedClient(service.url, { onFinding }));
  return { value, findings };
}

const filesOf = (list: AsyncIterable<{ readonly id: number }>) =>
  Array.fromAsync(list, ({ id }) => id);

const odd = [
  { name: 'Boat' },
  { id: 'boat' },
  { id: 0 },
  { id: true },
  { id: '1e3' },
  'boat',
  null,
];

test.each([
  ['the files of a folder', ({ folders }: MediaService) => filesOf(folders.files(12))],
  ['a search', ({ search }: MediaService) => filesOf(search('boat'))],
] as const)('unreadable records of %s are skipped with one finding', async (_, call) => {
  const files = [{ id: 1 }, ...odd, { id: -2 }];
  for (const answer of [files, { data: files }, { files, total: files.length }]) {
    const { value, findings } = await ask(answer, call);
    expect(value).toEqual([1, -2]);
    expect(findings).toEqual([
      {
        code: 'records-skipped',
        severity: 'warning',
        message: expect.stringMatching(
          /^Skipped 7 records of the .*: entry 2 of the list has no ID, .*entry 8 of the list has no ID\.$/,
        ),
        hint: expect.stringContaining('Look at the record in the service'),
        details: { call: expect.any(String), problems: expect.any(Array) },
      },
    ]);
  }
});

test.each([
  [
    'a depth',
    [
      { id: 1, depth: 0 },
      { name: 'odd', depth: 1 },
      { id: 3, depth: 1 },
      { id: 4, depth: 2 },
    ],
  ],
  ['a parent', [{ id: 1 }, { id: 'odd', parent: 1 }, { id: 3, parent: 1 }, { id: 4, parent: 3 }]],
  [
    'children',
    [
      {
        id: 1,
        children: [{ name: 'odd', children: [{ id: 3, children: [7.5, null, { id: 4 }] }] }],
      },
    ],
  ],
])('unreadable folders of a tree with %s are skipped', async (_, answer) => {
  const { value, findings } = await ask(answer, ({ folders }) => folders.tree());
  expect(value.map(({ id, parentId }) => [id, parentId])).toEqual([
    [1, undefined],
    [3, 1],
    [4, 3],
  ]);
  expect(findings).toMatchObject([{ code: 'records-skipped' }]);
});

const place = 'https://museum.example/';

test.for([
  ['under another name', { pageUrl: place, project: 'Museum' }],
  ['under another name of the web object', { web: { url: place }, project: 'Museum' }],
  ['in a form of its own', { page: { href: place }, project: 'Museum' }],
  ['nowhere', { contact: 'in print' }],
  ['in a text', place],
])("a usage list isn't whole if an entry has its page %s", async ([, entry]) => {
  const asked = ask([{ url: place }, entry], ({ usages }) => usages.list(1));
  await expect(asked).rejects.toMatchObject({
    code: 'answer-unexpected',
    message: expect.stringContaining('entry 2 of the list has no page that can be read'),
  });
});

test.for([{ Page: place }, { PAGE: place }, { Web: { Page: place } }, { URL: place }])(
  'a usage is read with its names in any case: %o',
  async (names) => {
    const entry = { ...names, Project: 'Museum', PublishDate: '2026-03-01' };
    const { value } = await ask([entry], ({ usages }) => usages.list(1));
    expect(value).toMatchObject([{ page: place, project: 'Museum', date: '2026-03-01' }]);
  },
);

test('a finding is reported once', async () => {
  const { findings } = await ask([{ id: 1 }, {}], async ({ folders }) => {
    await folders.tree();
    await folders.tree();
  });
  expect(findings).toHaveLength(1);
});

test('findings become Node.js warnings without onFinding', async () => {
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  const service = await startScriptedService({
    respond: (response) => json(response, [{ id: 1 }, {}]),
  });
  await scriptedClient(service.url).folders.tree();
  expect(await warned).toMatchObject({ name: 'MediaAssetWarning', code: 'records-skipped' });
});

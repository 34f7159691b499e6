import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseUsageBody } from '../../../src/emulator/calls/usage-body.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import {
  type EmulatorProcess,
  type EmulatorProcessOptions,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';

const quay = 'https://www.example.org/quay/';
const tower = 'https://www.example.org/tower/';
const usage = {
  id: [4711],
  contact: 'Press office',
  date: '2026-03-04',
  amount: '1',
  description: '',
  project: 'harbour.example',
  types: ['web'],
  removed: 'false',
  web: { page: quay, pageName: 'The quay' },
};
const removal = { ...usage, removed: 'true' };
const otherName = { ...usage, web: { page: quay, pageName: 'Quay' } };
const otherProject = { ...usage, project: 'other.example' };

let media: string;
const running: EmulatorProcess[] = [];

beforeAll(async () => {
  media = await drawTestImages([
    { path: 'a.png', width: 9, height: 9 },
    { path: 'b.png', width: 9, height: 9 },
    { path: 'c.png', width: 9, height: 9 },
  ]);
});

afterAll(() => rm(media, { recursive: true }));

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.stop()));
});

async function start(options: EmulatorProcessOptions = {}): Promise<EmulatorProcess> {
  const emulator = await startEmulatorProcess({ media, ...options });
  running.push(emulator);
  return emulator;
}

function post(emulator: EmulatorProcess, body: unknown, type = 'application/json') {
  return emulator.fetch('/1/files/multiple/usages', {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function send(emulator: EmulatorProcess, ...bodies: unknown[]): Promise<void> {
  for (const body of bodies) {
    const response = await post(emulator, body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: true });
  }
}

/** Asset, page and page name of each record, as the service lists them. */
async function listed(emulator: EmulatorProcess): Promise<string[]> {
  const lists = await Promise.all(
    [4711, 4712, 4713].map(async (id) => {
      const response = await emulator.fetch(`/1/file/${id}/usage?fields=any`);
      const records = (await response.json()) as { url: string; pageName: string }[];
      return records.map(({ url, pageName }) => `${id} ${new URL(url).pathname} ${pageName}`);
    }),
  );
  return lists.flat();
}

describe('a reported usage', () => {
  test('is listed with all its fields', async () => {
    const emulator = await start();
    await send(emulator, usage);
    const response = await emulator.fetch('/1/file/4711/usage?fields=any');
    expect(await response.json()).toEqual([
      {
        contact: 'Press office',
        project: 'harbour.example',
        publishDate: '2026-03-04',
        type: 'WEB',
        url: quay,
        pageName: 'The quay',
        description: '',
        amount: '1',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        createdBy: { name: 'editor' },
      },
    ]);
    expect(emulator.usages(4711)).toMatchObject([{ asset: 4711, page: quay, date: '2026-03-04' }]);
  });

  test('is recorded for each asset of the request, and survives a restart', async () => {
    const first = await start();
    await send(first, { ...usage, id: [4713, 4711] });
    const { dataDir } = first;
    await first.stop({ keep: true });
    const second = await start({ data: dataDir });
    expect(await listed(second)).toEqual(['4711 /quay/ The quay', '4713 /quay/ The quay']);
    await second.stop();
    await rm(join(dataDir, '..'), { recursive: true });
  });
});

describe('reports and removals', () => {
  const everything = ['4711 /quay/ The quay', '4711 /quay/ Quay', '4711 /quay/ The quay'];
  const variants: [string, EmulatorProcessOptions, unknown[], string[]][] = [
    ['overwrite', {}, [usage, usage, otherName], ['4711 /quay/ Quay']],
    ['append', { usages: 'append' }, [usage, otherName, usage], everything],
    ['page', {}, [usage, { ...removal, web: otherName.web }], []],
    [
      'page, appended',
      { usages: 'append' },
      [usage, otherName, otherProject, { ...removal, date: '2026-01-01' }],
      [],
    ],
    [
      'page-project',
      { usages: 'append', removalMatches: 'page-project' },
      [usage, otherName, { ...otherName, project: 'other.example' }, removal],
      ['4711 /quay/ Quay'],
    ],
    [
      'all-fields',
      { usages: 'append', removalMatches: 'all-fields' },
      [usage, usage, otherName, removal],
      ['4711 /quay/ Quay'],
    ],
    [
      'all-fields with another date',
      { removalMatches: 'all-fields' },
      [usage, { ...removal, date: '2026-03-05' }],
      ['4711 /quay/ The quay'],
    ],
    ['removing what is not there', {}, [removal, { ...removal, id: [4712] }], []],
    [
      'other pages and assets',
      {},
      [
        { ...usage, id: [4711, 4712] },
        { ...usage, web: { page: tower, pageName: 'The tower' } },
        removal,
      ],
      ['4711 /tower/ The tower', '4712 /quay/ The quay'],
    ],
  ];
  test.each(variants)('leave the right records: %s', async (_, options, bodies, expected) => {
    const emulator = await start(options);
    await send(emulator, ...bodies);
    expect(await listed(emulator)).toEqual(expected);
  });

  test.each([
    ['text', 'true', 'false'],
    ['a boolean', true, false],
  ])('accept `removed` as %s', async (_, yes, no) => {
    const emulator = await start();
    await send(emulator, { ...usage, removed: no });
    expect(await listed(emulator)).toHaveLength(1);
    await send(emulator, { ...usage, removed: yes });
    expect(await listed(emulator)).toEqual([]);
  });
});

describe('a batch with an unknown ID', () => {
  test('is refused completely', async () => {
    const emulator = await start();
    await send(emulator, { ...usage, id: [4712] });
    for (const body of [usage, removal]) {
      const response = await post(emulator, { ...body, id: [4711, 4712, 9999] });
      expect(response.status).toBe(404);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect(error.code).toBe('file-unknown');
      expect(error.message).toContain('9999');
      expect(await listed(emulator)).toEqual(['4712 /quay/ The quay']);
    }
  });
});

describe('the usages of a deleted file', () => {
  test('can be removed, but not reported or listed', async () => {
    const own = await drawTestImages([{ path: 'a.png', width: 9, height: 9 }]);
    const emulator = await start({ media: own });
    await send(emulator, usage);
    await rm(join(own, 'a.png'));
    expect((await post(emulator, usage)).status).toBe(404);
    expect((await emulator.fetch('/1/file/4711/usage')).status).toBe(404);
    expect(emulator.usages(4711)).toHaveLength(1);
    await send(emulator, removal);
    expect(emulator.usages(4711)).toEqual([]);
    await rm(own, { recursive: true });
  });
});

describe('an invalid usage request (section 2.1)', () => {
  const { contact: _, ...withoutContact } = usage;
  test.each<[string, unknown, number, string?]>([
    ['id is a number', { ...usage, id: 4711 }, 400, 'id'],
    ['id is empty', { ...usage, id: [] }, 400, 'id'],
    ['an id is text', { ...usage, id: ['4711'] }, 400, 'id.0'],
    ['an id is zero', { ...usage, id: [4711, 0] }, 400, 'id.1'],
    ['an id is a fraction', { ...usage, id: [4711.5] }, 400, 'id.0'],
    ['an id is too large', { ...usage, id: [2 ** 53] }, 400, 'id.0'],
    ['an ID is repeated', { ...usage, id: [4711, 4711] }, 400, 'id'],
    ['a field is missing', withoutContact, 400, 'contact'],
    ['a field is unknown', { ...usage, pages: 1 }, 400, 'pages'],
    ['a date has a time', { ...usage, date: '2026-03-04T00:00:00Z' }, 400, 'date'],
    ['a date does not exist', { ...usage, date: '2026-02-30' }, 400, 'date'],
    ['an amount is a number', { ...usage, amount: 1 }, 400, 'amount'],
    ['another type', { ...usage, types: ['print'] }, 400, 'types.0'],
    ['no type', { ...usage, types: [] }, 400, 'types'],
    ['removed is another text', { ...usage, removed: 'yes' }, 400, 'removed'],
    ['removed is missing', { ...usage, removed: undefined }, 400, 'removed'],
    ['a page is a path', { ...usage, web: { page: '/quay/', pageName: '' } }, 400, 'web.page'],
    [
      'a page is a script',
      { ...usage, web: { page: 'javascript:1', pageName: '' } },
      400,
      'web.page',
    ],
    ['a page has no name', { ...usage, web: { page: quay } }, 400, 'web.pageName'],
    ['broken JSON', '{"id":[4711]', 400],
    ['another JSON value', 'null', 400],
    ['an array', [usage], 400],
    ['an empty body', '', 400],
    ['more than 1 MiB', { ...usage, description: 'x'.repeat(1024 * 1024) }, 413],
  ])('is refused: %s', async (_, body, status, place) => {
    const emulator = await refuser();
    const response = await post(emulator, body);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.message).toContain(place ?? '');
    expect(emulator.usages()).toEqual([]);
  });

  test('is refused: another content type', async () => {
    const emulator = await refuser();
    const response = await post(emulator, usage, 'text/plain');
    expect(response.status).toBe(415);
    expect(emulator.usages()).toEqual([]);
  });

  let shared: Promise<EmulatorProcess> | undefined;
  const refuser = () => {
    shared ??= startEmulatorProcess({ media });
    return shared;
  };
  afterAll(async () => void (await (await shared)?.stop()));
});

describe('any usage object of section 2.1', () => {
  test('keeps its meaning with any text', () => {
    const object = fc.record({
      id: fc.uniqueArray(fc.integer({ min: 1 }), { minLength: 1 }),
      contact: fc.string({ unit: 'binary' }),
      date: fc
        .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
      amount: fc.nat().map(String),
      description: fc.string({ unit: 'binary' }),
      project: fc.string(),
      types: fc.constant(['web']),
      removed: fc.constantFrom('true', 'false'),
      web: fc.record({ page: fc.webUrl(), pageName: fc.string({ unit: 'grapheme' }) }),
    });
    fc.assert(
      fc.property(object, (usage) => {
        const body = new TextEncoder().encode(JSON.stringify(usage));
        expect(parseUsageBody(body, 'application/json; charset=utf-8')).toEqual({
          ...usage,
          removed: usage.removed === 'true',
        });
      }),
    );
  });
});

describe('concurrent usages', () => {
  test('are all recorded, once each', async () => {
    const emulator = await start({ usages: 'append' });
    const pages = Array.from({ length: 60 }, (_, index) => `${quay}${index}/`);
    await Promise.all(
      pages.map((page) =>
        send(emulator, { ...usage, id: [4711, 4712], web: { page, pageName: page } }),
      ),
    );
    for (const id of [4711, 4712]) {
      const recorded = emulator.usages(id).map(({ page }) => page);
      expect(recorded.toSorted()).toEqual(pages.toSorted());
    }
  });
});

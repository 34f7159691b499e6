import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseUsagePost } from '../../../src/emulator/calls/json-body.ts';
import { bendDefaults } from '../../support/bends/bend-settings.ts';
import type { SettingChanges } from '../../support/bends/bent-emulator.ts';
import { startService } from '../../support/service/start-service.ts';
import { postUsage, removalBody, usageBody } from '../../support/service/usage-posts.ts';

const quay = usageBody.web.page;
const otherName = { ...usageBody, web: { page: quay, pageName: 'Quay' } };
const inProject = { ...usageBody, types: ['print'], web: { page: '', pageName: '' } };
const otherProject = { ...usageBody, project: 'other.example' };

const emulator = await startService(
  ['a.png', 'b.png', 'c.png'].map((path) => ({ path, width: 9, height: 9 })),
);

beforeEach(async () => {
  await emulator.reset();
  await emulator.setSettings(bendDefaults);
});

async function send(...bodies: unknown[]): Promise<void> {
  for (const body of bodies) {
    const response = await postUsage(emulator, body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: true });
  }
}

/** Asset, page and page name of each record, as the service lists them. */
async function listed(service = emulator): Promise<string[]> {
  const lists = await Promise.all(
    [4711, 4712, 4713].map(async (id) => {
      const response = await service.fetch(`/1/file/${id}/usage?fields=any`);
      const records = (await response.json()) as Record<string, string>[];
      return records.map(
        ({ url, pageName, project }) =>
          `${id} ${url ? `${new URL(url).pathname} ${pageName}` : project}`,
      );
    }),
  );
  return lists.flat();
}

describe('a reported usage', () => {
  test('is listed with all its fields', async () => {
    await send(usageBody);
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
});

describe('reports and removals', () => {
  const [the, other] = ['4711 /quay/ The quay', '4711 /quay/ Quay'];
  const append = { usages: 'append' } as const;
  const allFields = { removalMatches: 'all-fields' } as const;
  const first = { removalTakes: 'first' } as const;
  const three = [usageBody, otherName, usageBody];
  const elsewhere = { page: 'https://www.example.org/tower/', pageName: 'The tower' };

  test.each<[string, SettingChanges, unknown[], string[]]>([
    ['overwrite', {}, [usageBody, usageBody, otherName], [other]],
    ['append', append, three, [the, other, the]],
    ['page', {}, [usageBody, { ...removalBody, web: otherName.web }], []],
    [
      'page, appended',
      append,
      [...three, otherProject, { ...removalBody, date: '2026-01-01' }],
      [],
    ],
    [
      'page-project',
      { ...append, removalMatches: 'page-project' },
      [usageBody, otherName, { ...otherName, project: 'other.example' }, removalBody],
      [other],
    ],
    ['all-fields', { ...append, ...allFields }, [...three, removalBody], [other]],
    ['the first one', { ...append, ...first }, [...three, removalBody], [other, the]],
    ["removing what isn't there", {}, [removalBody, { ...removalBody, id: [4712] }], []],
    [
      'other pages and assets',
      {},
      [{ ...usageBody, id: [4711, 4712] }, { ...usageBody, web: elsewhere }, removalBody],
      ['4711 /tower/ The tower', '4712 /quay/ The quay'],
    ],
    [
      'uses in projects',
      {},
      [
        ...[usageBody, { ...inProject, id: [4711, 4712] }, { ...inProject, project: 'Calendar' }],
        ...[inProject, { ...inProject, removed: 'true' }, { ...inProject, project: 'Fair' }],
      ],
      [the, '4711 Calendar', '4711 Fair', '4712 harbour.example'],
    ],
  ])('leave the right records: %s', async (_, settings, bodies, expected) => {
    await emulator.setSettings(settings);
    await send(...bodies);
    expect(await listed()).toEqual(expected);
  });
});

test('a batch with an unknown ID is refused completely, and the answer names the ID', async () => {
  await send({ ...usageBody, id: [4712] });
  for (const body of [usageBody, removalBody]) {
    const response = await postUsage(emulator, { ...body, id: [4711, 4712, 9999] });
    expect(response.status).toBe(404);
    const error = { code: 'file-unknown', message: expect.stringContaining('9999') };
    expect(await response.json()).toMatchObject({ error });
    expect(await listed()).toEqual(['4712 /quay/ The quay']);
  }
});

test("a deleted file's usages can be removed, but not reported or listed", async () => {
  const own = await startService([{ path: 'a.png', width: 9, height: 9 }]);
  await postUsage(own, usageBody);
  await rm(join(own.mediaDir, 'a.png'));
  expect((await postUsage(own, usageBody)).status).toBe(404);
  expect((await own.fetch('/1/file/4711/usage')).status).toBe(404);
  expect(own.usages(4711)).toHaveLength(1);
  expect((await postUsage(own, removalBody)).status).toBe(200);
  expect(own.usages(4711)).toEqual([]);
});

describe('an invalid usage request (section 2.1)', () => {
  const { contact: _, ...withoutContact } = usageBody;
  const onPage = (page: string) => ({ web: { page, pageName: '' } });
  test.each<[string, unknown, number, string?]>([
    ['id is a number', { ...usageBody, id: 4711 }, 400, 'id'],
    ['id is empty', { ...usageBody, id: [] }, 400, 'id'],
    ['an id is text', { ...usageBody, id: ['4711'] }, 400, 'id.0'],
    ['an id is zero', { ...usageBody, id: [4711, 0] }, 400, 'id.1'],
    ['an id is a fraction', { ...usageBody, id: [4711.5] }, 400, 'id.0'],
    ['an id is too large', { ...usageBody, id: [2 ** 53] }, 400, 'id.0'],
    ['an ID is repeated', { ...usageBody, id: [4711, 4711] }, 400, 'id'],
    ['a field is missing', withoutContact, 400, 'contact'],
    ['a field is unknown', { ...usageBody, pages: 1 }, 400, 'pages'],
    ['a date has a time', { ...usageBody, date: '2026-03-04T00:00:00Z' }, 400, 'date'],
    ['a date does not exist', { ...usageBody, date: '2026-02-30' }, 400, 'date'],
    ['an amount is a number', { ...usageBody, amount: 1 }, 400, 'amount'],
    ['a type is empty', { ...usageBody, types: ['web', ''] }, 400, 'types.1'],
    ['no type', { ...usageBody, types: [] }, 400, 'types'],
    ['removed is another text', { ...usageBody, removed: 'yes' }, 400, 'removed'],
    ['removed is missing', { ...usageBody, removed: undefined }, 400, 'removed'],
    ['a page is a path', { ...usageBody, ...onPage('/quay/') }, 400, 'web.page'],
    ['a page is a script', { ...usageBody, ...onPage('javascript:1') }, 400, 'web.page'],
    ['a page has no name', { ...usageBody, web: { page: quay } }, 400, 'web.pageName'],
    ['another JSON value', null, 400],
    ['an array', [usageBody], 400],
    ['more than 1 MiB', { ...usageBody, description: 'x'.repeat(1024 * 1024) }, 413],
  ])('is refused: %s', async (_, body, status, place) => {
    const response = await postUsage(emulator, body);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.message).toContain(place ?? '');
    expect(emulator.usages()).toEqual([]);
  });

  test.each([
    ['broken JSON', '{"id":[4711]', 'application/json', 400],
    ['an empty body', '', 'application/json', 400],
    ['another content type', JSON.stringify(usageBody), 'text/plain', 415],
  ])('is refused: %s', async (_, body, type, status) => {
    const headers = { 'Content-Type': type };
    const path = '/1/files/multiple/usages';
    const response = await emulator.fetch(path, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(emulator.usages()).toEqual([]);
  });
});

test('any usage object of section 2.1 keeps its meaning with any text', () => {
  const object = fc.record({
    id: fc.uniqueArray(fc.integer({ min: 1 }), { minLength: 1 }),
    contact: fc.string({ unit: 'binary' }),
    date: fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    amount: fc.nat().map(String),
    description: fc.string({ unit: 'binary' }),
    project: fc.string(),
    types: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
    removed: fc.constantFrom('true', 'false'),
    web: fc.record({
      page: fc.oneof(fc.webUrl(), fc.constant('')),
      pageName: fc.string({ unit: 'grapheme' }),
    }),
  });
  fc.assert(
    fc.property(object, (usage) => {
      const body = new TextEncoder().encode(JSON.stringify(usage));
      expect(parseUsagePost(body, 'application/json; charset=utf-8')).toEqual({
        ...usage,
        removed: String(usage.removed) === 'true',
      });
    }),
  );
});

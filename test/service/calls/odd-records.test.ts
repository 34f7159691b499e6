import { expect, test } from 'vitest';
import type { Finding, MediaService } from '../../../src/service/index.ts';
import { json, scriptedClient, startScriptedService } from '../scripted-service.ts';

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

const odd = [{ name: 'Boat' }, { id: 'boat' }, { id: 0 }, 'boat', null];

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
          /^Skipped 5 records of the .*: entry 2 of the list has no ID, .*entry 6 of the list has no ID\.$/,
        ),
        hint: expect.stringContaining('Look at the record in the service'),
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
    [{ id: 1, children: [{ name: 'odd', children: [{ id: 3, children: [7.5, { id: 4 }] }] }] }],
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

test('unreadable entries of a usage list are skipped', async () => {
  const answer = [{ url: 'https://museum.example/' }, 'boat', { contact: 'in print' }];
  const { value, findings } = await ask(answer, ({ usages }) => usages.list(1));
  expect(value).toMatchObject([{ page: 'https://museum.example/' }]);
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining("entry 2 of the list isn't an object"),
  ]);
});

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

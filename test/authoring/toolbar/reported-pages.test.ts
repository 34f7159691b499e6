import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { reportedPages } from '../../../src/authoring/toolbar/library.ts';
import { changeLedger, emptyLedger, type RecordState } from '../../../src/usage/ledger/ledger.ts';
import { ledgerPath } from '../../../src/usage/ledger/ledger-identity.ts';
import { formatLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { identity, site, siteFields } from '../../support/ledger/usage-fixtures.ts';

const change = (path: string, ids: number[], state: RecordState) => ({
  page: `${site}${path}`,
  ...{ ...siteFields, pageName: `Page ${path}`, date: '2026-01-01' },
  ids,
  state,
});
const ledger = formatLedger(
  changeLedger(emptyLedger(identity), [
    change('/', [4711, 4712], 'confirmed'),
    change('/quay/', [4711], 'in-doubt'),
    change('/mole/', [4711], 'unsent'),
  ]),
);

async function open(text: string | undefined, store?: { file: string } | { redis: string }) {
  const root = await mkdtemp(join(tmpdir(), 'reported-'));
  const path = store && 'file' in store ? join(root, store.file) : ledgerPath(root, identity);
  await mkdir(dirname(path), { recursive: true });
  if (text !== undefined) await writeFile(path, text);
  return reportedPages({
    config: { root: pathToFileURL(`${root}/`), site, base: '/' },
    options: { report: { store } },
    service: { baseUrl: identity.service },
  } as never);
}

test.each([
  [4711, ['/', '/quay/']],
  [4712, ['/']],
  [4713, []],
])('asset %i has the pages that the service may list', async (id, paths) => {
  const pages = paths.map((path) => ({ page: `${site}${path}`, pageName: `Page ${path}` }));
  expect(await (await open(ledger))(id)).toEqual(pages);
});

test('the ledger can be another file', async () => {
  const reported = await open(ledger, { file: 'state/usages.json' });
  expect(await reported(4712)).toHaveLength(1);
});

test.each([
  ['no ledger', undefined],
  ['a broken ledger', '{"version": 2'],
])('with %s there are no pages', async (_, text) => {
  expect(await (await open(text))(4711)).toEqual([]);
});

test('a ledger in Redis is not asked', async () => {
  expect(await (await open(undefined, { redis: 'redis://127.0.0.1:1' }))(4711)).toEqual([]);
});

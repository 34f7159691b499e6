import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  resultOf,
  unknownOf,
  type WithdrawalRecord,
  writeWithdrawalRecord,
} from '../../../src/cli/withdrawal/withdrawal-record.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const site = 'https://harbour.example';
const record: WithdrawalRecord = {
  ...{ version: 1, id: 4711, name: 'Quay', at: '2026-03-04T08:00:00.120Z', gone: false },
  ...{ site, service: 'https://dam.example', since: null, gaps: [], completeBefore: null },
  ...{ unknown: [], elsewhere: 0, pages: [], urls: [] },
};
const urls = (...states: boolean[]) =>
  states.map((gone, at) => ({ url: `${site}/${at}|"a", b`, status: 404, gone }));
const pages = (...states: boolean[]) =>
  states.map((gone, at) => ({ page: `${site}/${at}/`, from: [], status: 200, gone }));

test.each<[Partial<WithdrawalRecord>, text: string]>([
  [
    { gone: true, urls: urls(true, true), pages: pages(true) },
    '2 URLs and 1 page were requested, and none has the asset.',
  ],
  [{ urls: urls(true, false, false) }, '2 of 3 URLs may still have the asset.'],
  [{ urls: urls(true), pages: pages(false, true) }, '1 of 2 pages may still have the asset.'],
  [
    { urls: urls(false), pages: pages(false, false) },
    '1 of 1 URL and 2 of 2 pages may still have the asset.',
  ],
  [
    { urls: urls(true), pages: pages(true) },
    "Nothing is proved, because the asset's URLs aren't all known.",
  ],
])('the result of %j', (found, text) => {
  expect(resultOf({ ...record, ...found })).toBe(text);
});

test.each<[Partial<WithdrawalRecord>, sentences: unknown[]]>([
  [{}, []],
  [
    { unknown: ['history', 'service'] },
    [
      "The publication history is missing, so URLs and pages of earlier builds aren't known.",
      "The service didn't list the asset's usages.",
    ],
  ],
  [{ since: '2026-03-01' }, ['The publication history starts with the build of 2026-03-01.']],
  [
    { completeBefore: '2026-03-02' },
    ['Someone stated that everything published before 2026-03-02 is known here, or gone.'],
  ],
  [
    { gaps: [{ site, kind: 'gap', reason: 'listed', detail: `${site}/lost/`, at: record.at }] },
    ['URLs and pages may be unknown:', expect.stringContaining(`${site}/lost/`)],
  ],
  [{ elsewhere: 1 }, ["The service lists 1 page of other sites, which weren't checked."]],
])('what may be unknown after %j', (found, sentences) => {
  expect(unknownOf({ ...record, ...found })).toEqual(sentences);
});

test('a record is filed as it is, under its asset and time', async () => {
  const folder = await temporaryFolder('record');
  const filed = { ...record, urls: urls(true, false), pages: pages(false) };
  const path = await writeWithdrawalRecord(folder, filed);
  expect(path).toBe('.media-asset/withdrawals/4711-20260304T080000Z.json');
  expect(JSON.parse(await readFile(join(folder, path), 'utf8'))).toEqual(filed);
});

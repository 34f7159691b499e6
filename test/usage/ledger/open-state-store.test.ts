import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { resolveOptions } from '../../../src/config/options.ts';
import { historyName, ledgerName, ledgerPath } from '../../../src/usage/ledger/ledger-identity.ts';
import { openStateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { identity } from '../../support/ledger/usage-fixtures.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

let root: string;

beforeEach(async () => {
  root = await temporaryFolder('open-store');
});

const name = ledgerName(identity);

test.each<[string, object, Record<string, string>, () => string]>([
  ['no option is a file in .media-asset', {}, {}, () => ledgerPath(root, identity)],
  [
    'a file is relative to the project',
    { file: 'state/a.json' },
    {},
    () => join(root, 'state/a.json'),
  ],
  [
    'a URL is Redis, named by its host alone',
    { redis: 'rediss://ada:hunter2@redis.example:6380/3?a=hunter2#hunter2' },
    {},
    () => `rediss://redis.example media-asset:{${name}}:ledger`,
  ],
  [
    'MEDIA_ASSET_STATE_URL is Redis',
    {},
    { MEDIA_ASSET_STATE_URL: 'redis://:hunter2@redis.example:6379/0' },
    () => `redis://redis.example media-asset:{${name}}:ledger`,
  ],
  [
    'an option takes precedence over MEDIA_ASSET_STATE_URL',
    { file: 'a.json' },
    { MEDIA_ASSET_STATE_URL: 'redis://redis.example' },
    () => join(root, 'a.json'),
  ],
])('%s', async (_, option, environment, expected) => {
  const given = Object.keys(option).length > 0 ? { store: option } : {};
  const { store } = resolveOptions({ report: given }, environment).report;
  expect(openStateStore({ store, root, identity }).name).toBe(expected());
  expect(await readdir(root)).toEqual([]);
});

test("uses in projects have a store of all of a service's sites, next to the ledger", () => {
  const uses = (site: string, store?: { redis: string }) =>
    openStateStore({ store, root, identity: { ...identity, site }, kind: 'uses' }).name;
  const own = historyName(identity);
  for (const site of [identity.site, 'https://other.example']) {
    expect(uses(site)).toBe(join(root, '.media-asset', `uses-${own}.json`));
    expect(uses(site, { redis: 'redis://redis.example' })).toBe(
      `redis://redis.example media-asset:{${own}}:uses`,
    );
  }
});

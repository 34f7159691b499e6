import { mkdir, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appending } from '../../support/ledger/service-model.ts';
import {
  startUsageServer,
  type Treatment,
  type UsageServer,
} from '../../support/ledger/usage-server.ts';
import { findRedis, type RedisServer, startRedis } from '../../support/process/start-redis.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

const site = 'https://harbour.example';
const before = [`${site}/ferry/ 4711 Ferry`, `${site}/quay/ 4712 Quay`];
const after = [`${site}/quay/ 4712 The quay`, `${site}/tower/ 4713 Tower`];
/** New reports go first. Replacements and removals are sent in a later window. */
const reported = [...before, `${site}/tower/ 4713 Tower`];

describe.skipIf(!findRedis())('media-asset report, with a Redis that is killed', () => {
  let folder: BuiltFolder;
  let server: UsageServer;
  let redis: RedisServer;
  let data: string;

  beforeEach(async () => {
    folder = await createBuiltFolder();
    data = folder.path('redis');
    await mkdir(data);
    redis = await startRedis({ data });
    server = await startUsageServer({ semantics: { ...appending, matches: 'all-fields' } });
    await folder.page('dist/ferry/index.html', 'Ferry', 4711);
    await folder.page('dist/quay/index.html', 'Quay', 4712);
    expect(await command('report')).toMatchObject({ exitCode: 0 });
    await folder.remove('dist/ferry');
    await folder.page('dist/quay/index.html', 'The quay', 4712);
    await folder.page('dist/tower/index.html', 'Tower', 4713);
    server.log.length = 0;
  });

  afterEach(async () => {
    await redis.stop();
    await server.close();
    await folder.delete();
  });

  const command = (name: 'report' | 'reconcile', ...words: string[]) =>
    folder.command([name, 'dist', '--yes', '--site', site, '--service', server.url, ...words], {
      MEDIA_ASSET_ACCESS_TOKEN: 'lantern',
      MEDIA_ASSET_STATE_URL: redis.url,
    });

  const lose = () => redis.stop();
  const restart = async () => {
    await lose();
    redis = await startRedis({ data, port: redis.port });
  };
  const empty = async () => {
    await lose();
    await rm(data, { recursive: true });
    await mkdir(data);
    redis = await startRedis({ data, port: redis.port });
  };

  test.each<[string, () => Promise<void>, number, RegExp, readonly string[], number]>([
    [
      'and stays away, ends with a warning',
      lose,
      0,
      /^warning .*\n.*\[store-unreachable\]/,
      reported,
      1,
    ],
    ['and restarts with its data, continues', restart, 0, /^$/, after, 4],
    ['and restarts empty, ends with an error', empty, 1, /\[ledger-lost\]/, reported, 1],
  ])('during a request, %s', async (_, fail, exitCode, says, listed, sent) => {
    server.treat = async (_, index): Promise<Treatment> => {
      if (index === 0) await fail();
      return 'done';
    };
    const run = await command('report');
    expect(run.stderr).toMatch(says);
    expect(run.exitCode).toBe(exitCode);
    expect(server.log).toHaveLength(sent);
    expect(server.model.list()).toEqual(listed);
  });

  test('and restarts empty, reports all wanted usages, and reconcile repairs the rest', async () => {
    await empty();
    const next = await command('report');
    expect(next).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('ledger-missing') });
    expect(server.log.filter(({ removed }) => removed)).toEqual([]);
    expect(server.model.list()).toEqual([...before, ...after].sort());
    // Nothing here knows about assets that no page shows anymore.
    expect(await command('reconcile', '--asset', '4711')).toMatchObject({ exitCode: 0 });
    expect(server.model.list()).toEqual(after);
  });
});

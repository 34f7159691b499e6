import { readFile } from 'node:fs/promises';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { forwardRequest } from '../../support/service/forward-request.ts';
import { folder, server } from '../usage/usage-project.ts';
import { hosts } from './hosts.ts';
import {
  answer,
  build,
  bytes,
  command,
  deploy,
  file,
  given,
  historyFile,
  image,
  live,
  online,
  other,
  report,
  serve,
  setWitness,
  takeDown,
  text,
  useWithdrawals,
  withAsset,
  withdraw,
  without,
  write,
} from './withdrawal-project.ts';

useWithdrawals();

const setList = (list: typeof server.list) => {
  server.list = list;
};
const record = {
  id: 4711,
  page: '',
  pageName: '',
  project: 'Museum',
  contact: '',
  description: '',
  date: '',
};

const tomorrow = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

describe('with lost state', () => {
  const state = async () => {
    const files = await fastGlob('{history,ledger}-*.json', { cwd: folder.path('.media-asset') });
    return Promise.all(
      files.map(
        async (file) => [file, await readFile(folder.path(`.media-asset/${file}`))] as const,
      ),
    );
  };
  type State = Awaited<ReturnType<typeof state>>;
  /** Puts back what an earlier time had. What it hadn't goes. */
  async function restore(copy: State, which = /./): Promise<void> {
    for (const [file] of await state()) {
      if (which.test(file)) await folder.remove(`.media-asset/${file}`);
    }
    for (const [file, content] of copy) {
      if (which.test(file)) await folder.write(`.media-asset/${file}`, String(content));
    }
  }

  /** Each before the last build, whose asset is at another URL than the one that was lost. */
  const losses: [string, (older: State) => Promise<void>][] = [
    ['all of it was lost', () => restore([])],
    ['an older copy was restored', (older) => restore(older)],
    ['the history was lost', () => restore([], /^history/)],
    ['an older copy of the history was restored', (older) => restore(older, /^history/)],
    [
      'all of it was lost, and a build was reported while the site was down',
      async () => {
        await restore([]);
        const kept = online.get('/media-asset.json');
        online.delete('/media-asset.json');
        await build({ 'index.html': without, [other]: bytes });
        online.set('/media-asset.json', kept ?? '');
      },
    ],
  ];

  /** A build that is known to an older copy, one with the asset at another URL, a loss, and one without. */
  async function takeDownAfter(lose: (older: State) => Promise<void>) {
    await build({ 'index.html': without, [other]: bytes });
    const older = await state();
    await build({ 'index.html': withAsset, [image]: bytes, [other]: bytes });
    await lose(older);
    await build({ 'index.html': withAsset, [file]: text, [other]: bytes });
    await build({ 'index.html': without, [other]: bytes });
    await deploy();
  }

  test.each(losses)(
    'nothing is proved if %s, while visitors get the lost image',
    async (_, lose) => {
      await takeDownAfter(lose);
      given.host = (request, response) =>
        request.url === `/${image}` && answer(response, 200, bytes, 'image/webp');
      const { exitCode, gone, gaps, urls } = await withdraw();
      expect({ exitCode, gone }).toEqual({ exitCode: 3, gone: false });
      expect(gaps).not.toEqual([]);
      expect(urls.map(({ url }: { url: string }) => url)).not.toContain(`${live.url}/${image}`);
      // Nothing leaves the history either.
      expect((await withdraw()).urls).toEqual(urls);
      const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
      expect(await withdraw('--complete-before', tomorrow)).toMatchObject({
        ...{ exitCode: 0, gaps: [], completeBefore: expect.stringMatching(/^\d{4}-.*Z$/) },
      });
    },
  );

  test.each(losses)(
    'nothing is proved if %s, whatever the host answers',
    { tags: ['slow'], timeout: 300_000 },
    async (_, lose) => {
      await takeDownAfter(lose);
      const lost = await state();
      for (const [what, host] of hosts) {
        await restore(lost);
        given.host = host;
        expect(await withdraw(), what).toMatchObject({ exitCode: 3, gone: false });
      }
    },
  );

  test('an asset that nothing here knows is not proved gone while the history has gaps', async () => {
    await takeDownAfter(() => restore([]));
    const unknown = async (...words: string[]) => {
      const { exitCode, stdout } = await command('withdraw', '4719', '--json', ...words);
      return { exitCode, ...JSON.parse(stdout) };
    };
    const gaps = expect.arrayContaining([expect.objectContaining({ reason: 'lost' })]);
    expect(await unknown()).toMatchObject({ exitCode: 3, gone: false, gaps });
    const stated = await unknown('--complete-before', tomorrow());
    expect(stated).toMatchObject({ exitCode: 3, gone: false, gaps: [] });
    expect(await unknown()).toMatchObject({ error: { code: 'asset-unpublished' } });
  });

  test('a build that was deployed without a report is a gap, until it is reported', async () => {
    await build({ 'index.html': without, [other]: bytes });
    await write({ 'index.html': without, [other]: bytes, [file]: text });
    await deploy();
    online.delete(`/${file}`);
    expect(await withdraw()).toMatchObject({
      ...{ exitCode: 3, gaps: [{ kind: 'gap', reason: 'older', detail: '2' }] },
    });
    expect((await report()).exitCode).toBe(0);
    expect(await withdraw()).toMatchObject({ exitCode: 0, gaps: [] });
  });

  test('a page that only the service knows is a gap, also once the service has forgotten it', async () => {
    await takeDown();
    const [listed] = server.model.records;
    const record = { ...listed, id: 4711, page: `${live.url}/lost/` };
    server.model.records.push(record as (typeof server.model.records)[number]);
    const gap = { kind: 'gap', reason: 'listed', detail: `${live.url}/lost/` };
    expect(await withdraw()).toMatchObject({ exitCode: 3, gaps: [gap] });
    server.model.records.pop();
    expect(await withdraw()).toMatchObject({ exitCode: 3, gaps: [gap] });
  });

  test("another site of the same history is asked too, and its lost builds aren't known", async () => {
    let witness = 'none';
    const shop = await serve((_, response) => answer(response, 200, witness));
    const site = `${shop.url}/`;
    await build({ 'index.html': withAsset, [image]: bytes });
    const own = String(online.get('/media-asset.json'));
    await build({ 'index.html': without }, { site, build: 'shop', witness: undefined });
    setWitness(own);
    await build({ 'index.html': without });
    await deploy();
    const gapsOf = async () => (await withdraw()).gaps;
    expect(await gapsOf()).toMatchObject([{ site, kind: 'not known', reason: 'unread' }]);
    witness = own.replace('"build":"1"', '"build":"later"');
    expect((await gapsOf()).at(-1)).toMatchObject({ site, reason: 'older', detail: 'later' });
    witness = own.replace('"build":"1"', '"build":"shop"');
    expect(await gapsOf()).toMatchObject([{}, { reason: 'older', detail: 'later' }]);
    const stated = await withdraw('--complete-before', tomorrow());
    expect(stated).toMatchObject({ exitCode: 0, gaps: [] });
  });

  test.each<[string, () => Promise<unknown>, boolean]>([
    ["a site that was retired isn't asked any more", async () => {}, false],
    ['a site whose ledger was lost is still asked', () => restore([], /^ledger-/), true],
    [
      'a site whose lost ledger was begun again is still asked',
      async () => {
        await restore([], /^ledger-/);
        await build(
          { 'index.html': without },
          { site: 'http://localhost:9', build: 'next', witness: undefined },
        );
      },
      true,
    ],
  ])('%s', async (_, lose, stillAsked) => {
    const site = 'http://localhost:9';
    await build({ 'index.html': withAsset, [image]: bytes });
    await build({ 'index.html': without }, { site, build: 'old', witness: undefined });
    await build({ 'index.html': without });
    await deploy();
    const isAsked = async () => {
      const { gaps, at } = await withdraw();
      return gaps.some(
        (gap: { site: string; at: string }) => gap.site === `${site}/` && gap.at === at,
      );
    };
    expect(await isAsked()).toBe(true);
    await lose();
    const retired = await command('retire', '--site', site, '--service', given.service, '--yes');
    expect(retired.exitCode, retired.output).toBe(stillAsked ? 3 : 0);
    expect(await isAsked()).toBe(stillAsked);
  });

  test.each([404, 410, 405])(
    'a service that answers each list with %i has no lists',
    async (status) => {
      await takeDown();
      server.list = () => status;
      expect(await withdraw()).toMatchObject({ exitCode: 0, gone: true, unknown: ['service'] });
    },
  );

  test('nothing is proved while the service fails to list the usages, whatever someone states', async () => {
    await takeDown();
    for (const status of [500, 403]) {
      server.list = () => status;
      const found = await withdraw('--complete-before', tomorrow());
      expect(found).toMatchObject({ exitCode: 3, gone: false, unknown: ['service'] });
    }
  });

  const unread = { url: undefined, page: undefined, pageUrl: 'https://harbour.example/lost/' };
  test.each<[string, () => unknown]>([
    ['answers 404 for this asset alone', () => setList((id) => (id === 4711 ? 404 : 'records'))],
    ['answers 410 for this asset alone', () => setList((id) => (id === 4711 ? 410 : 'records'))],
    [
      'has a usage whose page is unread',
      () => server.model.records.push({ ...record, ...unread } as never),
    ],
  ])('nothing is proved if the service %s, until someone states it', async (_, change) => {
    await takeDown();
    change();
    const gaps = [{ kind: 'not known', reason: 'unlisted', detail: '4711' }];
    expect(await withdraw()).toMatchObject({
      exitCode: 3,
      gone: false,
      unknown: ['service'],
      gaps,
    });
    const { stdout } = await command('withdraw', '4711');
    expect(stdout).toContain("the service doesn't give the usages of asset 4711");
    const stated = await withdraw('--complete-before', tomorrow());
    expect(stated).toMatchObject({ exitCode: 0, gaps: [] });
  });

  test.each([404, 405])(
    'nothing is proved by the page that a gateway answers to every list with %i, and nothing is forgotten',
    async (status) => {
      let isDown = false;
      const gateway = await serve(async (request, response) => {
        if (isDown) return void answer(response, status, '<html><title>Not here</title></html>');
        const { bytes, ...passed } = await forwardRequest(server.url, request);
        response.writeHead(passed.status, { 'content-type': 'application/json' }).end(bytes);
      });
      given.service = gateway.url;
      await takeDown();
      isDown = true;
      const gaps = [{ kind: 'not known', reason: 'unlisted', detail: '4711' }];
      const found = await withdraw();
      expect(found).toMatchObject({ exitCode: 3, gone: false, unknown: ['service'], gaps });
      isDown = false;
      const { urls } = await withdraw();
      expect(urls).toEqual(found.urls);
    },
  );

  test('nothing is proved by a 404 for the only asset that is known here', async () => {
    await build({ 'index.html': withAsset, [image]: bytes });
    await build({ 'index.html': without });
    await deploy();
    server.list = () => 404;
    expect(await withdraw()).toMatchObject({ exitCode: 3, gaps: [{ reason: 'unlisted' }] });
  });

  test('a date in the future, or of no day, is refused', async () => {
    await takeDown();
    for (const date of ['2126-01-01', '2026-02-31', 'today', '2026-03-01T08:00:00']) {
      const { exitCode, output } = await command('withdraw', '4711', '--complete-before', date);
      expect({ exitCode, date }).toEqual({ exitCode: 2, date });
      expect(output).toContain("isn't a date");
    }
  });

  test('a statement about the past closes no gap that was noticed since', async () => {
    await takeDownAfter(() => restore([]));
    const stated = await withdraw('--complete-before', '2026-03-04');
    expect(stated).toMatchObject({ exitCode: 3, completeBefore: '2026-03-04T00:00:00.000Z' });
    expect(stated.gaps).not.toEqual([]);
  });
});

describe('`report --first`', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['the history has builds', async () => {}, 'the build 1 was'],
    [
      'the ledger knows a report',
      async () => folder.remove(await historyFile()),
      'the build 1 was',
    ],
    ['the live site has a build', () => folder.remove('.media-asset'), 'the build 1 was'],
  ])('is refused if %s', async (_, change, said) => {
    await build({ 'index.html': without });
    await change();
    await write({ 'index.html': without });
    const { exitCode, output } = await report('--first');
    expect(exitCode).toBe(1);
    expect(output).toContain(said);
  });

  test('is taken after the first build has reported', async () => {
    await write({ 'index.html': without });
    await report();
    const status = async () => JSON.parse((await command('status', '--json')).stdout).gaps;
    expect(await status()).toMatchObject({ ledger: null, history: [{ reason: 'new' }, {}] });
    expect((await command('status')).stdout).toContain(
      'withdraw <id> --complete-before <tomorrow>',
    );
    expect((await report('--first')).exitCode).toBe(0);
    expect(await status()).toEqual({ ledger: null, history: [] });
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/storage/digest.ts';
import { folder, server } from '../usage/usage-project.ts';
import {
  answer,
  build,
  bytes,
  command,
  deploy,
  file,
  given,
  hash,
  historyFile,
  image,
  live,
  online,
  other,
  readHistory,
  takeDown,
  text,
  useWithdrawals,
  withAsset,
  withdraw,
  without,
} from './withdrawal-project.ts';

useWithdrawals();

describe('what was proved gone', () => {
  test('is deleted here: the cached asset, its crops, and what a build sealed of its originals', async () => {
    const cached = join('cache', 'v3', sha256(server.url).slice(0, 12));
    const rules = { cache: 'cache', originals: 'sealed' };
    await build({ 'index.html': withAsset, [image]: bytes, [other]: bytes }, rules);
    await build({ 'index.html': without, [other]: bytes }, rules);
    for (const name of ['4711/facts.json', '4712/facts.json'])
      await folder.write(join(cached, name), '{}');
    await folder.write('cache/crops.json', '[]');
    const left = () => readdir(folder.path('cache'), { recursive: true });

    expect(await withdraw()).toMatchObject({ exitCode: 3 });
    expect(await left()).toContain('crops.json');
    expect(await readHistory()).toContain('sealed');

    await deploy();
    expect(await withdraw()).toMatchObject({ exitCode: 0, gone: true });
    const facts = (await left()).filter((name) => name.endsWith('.json'));
    expect(facts).toEqual([join('v3', sha256(server.url).slice(0, 12), '4712', 'facts.json')]);
    expect(await readHistory()).not.toContain('sealed');
  });

  test('is asked for again if its cached original could not be deleted', async () => {
    const rules = { cache: 'cache' };
    await build({ 'index.html': withAsset, [image]: bytes, [other]: bytes }, rules);
    await build({ 'index.html': without, [other]: bytes }, rules);
    await deploy();
    // A folder can't be deleted like a file.
    await folder.write('cache/crops.json/file', '');
    await expect(command('withdraw', '4711')).rejects.toThrow('crops.json');
    await folder.remove('cache/crops.json');
    expect(await withdraw()).toMatchObject({ exitCode: 0, gone: true });
  });

  test('is asked for no more, unless a build publishes it again', async () => {
    await takeDown();
    await withdraw();
    expect(await withdraw()).toMatchObject({ exitCode: 1, error: { code: 'asset-unpublished' } });
    await build({ 'index.html': withAsset, [image]: bytes });
    await deploy();
    expect(await withdraw()).toMatchObject({ exitCode: 3, urls: [{ status: 200 }] });
  });

  test.each([1, 2])(
    'is a gap if build %i, whose URLs were forgotten, is online again',
    async (number) => {
      const builds = [];
      for (const index of [withAsset, withAsset, without]) {
        await build({
          'index.html': index,
          ...(index === withAsset && { [image]: bytes }),
          [other]: bytes,
        });
        await deploy();
        builds.push(new Map(online));
      }
      expect(await withdraw()).toMatchObject({ exitCode: 0, gone: true });
      const shown = { [file]: text, 'quay/index.html': withAsset.replace(image, file) };
      await build({ 'index.html': without, ...shown, [other]: bytes });
      await build({ 'index.html': without, [other]: bytes });
      await deploy();
      for (const [path, content] of builds[number - 1] ?? []) online.set(path, content);
      expect((await fetch(`${live.url}/${image}`)).status).toBe(200);
      const gaps = [{ kind: 'gap', reason: 'older', detail: `${number}` }];
      expect(await withdraw()).toMatchObject({ exitCode: 3, gone: false, gaps });
    },
  );

  test('stays known if it is in the last build, which may not be online yet', async () => {
    await takeDown();
    await build({ 'index.html': withAsset, [image]: bytes });
    await withdraw();
    await build({ 'index.html': without });
    const { urls } = await withdraw();
    expect(urls.map(({ url }: { url: string }) => url)).toContain(`${live.url}/${image}`);
  });
});

test('a page that is excluded from reports is asked for too, with its URLs', async () => {
  const exclude = ['/drafts/**'];
  const resized = `/_vercel/image?url=${encodeURIComponent(`/${image}`)}&w=640`;
  const draft = withAsset.replace(`/${image}`, resized.replace('&', '&amp;'));
  await build({ 'index.html': without, 'drafts/index.html': draft, [image]: bytes }, { exclude });
  await build({ 'index.html': without }, { exclude });
  await deploy();
  given.host = ({ url }, response) => url === resized && answer(response, 200, bytes, 'image/webp');
  const found = await withdraw();
  expect(found).toMatchObject({
    exitCode: 3,
    pages: [{ page: `${live.url}/drafts/`, gone: true }],
  });
  expect(found.urls).toContainEqual({ url: live.url + resized, status: 200, gone: false });
  expect(server.log).toEqual([]);
});

test('an excluded page is not taken for reported after the ledger was lost', async () => {
  await build(
    { 'drafts/index.html': withAsset, 'index.html': without },
    { exclude: ['/drafts/**'] },
  );
  for (const name of await readdir(folder.path('.media-asset'))) {
    if (name.startsWith('ledger-')) await folder.remove(`.media-asset/${name}`);
  }
  await build({ 'index.html': without });
  expect(server.log).toEqual([]);
});

describe('a source that is missing', () => {
  const remove = async (pattern: RegExp) => {
    for (const name of await readdir(folder.path('.media-asset')))
      if (pattern.test(name)) await folder.remove(`.media-asset/${name}`);
  };

  test.each([
    ['history', /^history-/, 3, 'The publication history is missing'],
    ['ledger', /^ledger-/, 0, 'The ledger is missing'],
    ['build', /^$/, 0, "The last build isn't here as a whole"],
  ] as const)('is named: %s', async (name, pattern, exitCode, sentence) => {
    await takeDown();
    await remove(pattern);
    if (name === 'build') {
      // As a build that the asset has failed leaves it.
      const path = folder.path('.media-asset/build.json');
      const rules = JSON.parse(await readFile(path, 'utf8'));
      await folder.write('.media-asset/build.json', JSON.stringify({ ...rules, finished: false }));
    }
    const found = await command('withdraw', '4711');
    expect(found.exitCode).toBe(exitCode);
    expect(found.stdout).toContain(sentence);
    expect(found.stdout).not.toMatch(/no page/i);
    const [record = ''] = await readdir(folder.path('.media-asset/withdrawals'));
    const filed = await readFile(folder.path(`.media-asset/withdrawals/${record}`), 'utf8');
    expect(JSON.parse(filed)).toMatchObject({ unknown: [name], gone: exitCode === 0 });
  });

  test('the ledger knows a page whose report was sent and not answered', async () => {
    server.treat = () => 'lost';
    await build({ 'index.html': withAsset, [image]: bytes });
    await remove(/^history-/);
    const { pages, exitCode } = await withdraw();
    expect(exitCode).toBe(3);
    expect(pages).toMatchObject([
      { page: `${live.url}/`, from: expect.arrayContaining(['ledger']) },
    ]);
  });

  test('nothing is proved by a history that was lost and began again after other reports', async () => {
    await build({ 'index.html': withAsset, [image]: bytes });
    await remove(/^history-/);
    await build({ 'index.html': withAsset, [file]: text });
    await build({ 'index.html': without });
    await deploy();
    online.set(`/${image}`, bytes);
    expect(await withdraw()).toMatchObject({
      ...{ exitCode: 3, gone: false, gaps: [{ reason: 'new' }, {}] },
      ...{ urls: [{ gone: true }], pages: [{ gone: true }] },
    });
  });

  test('nothing is proved by a history from an older cache than the ledger', async () => {
    await build({ 'index.html': withAsset, [file]: text });
    const older = await readHistory();
    await build({ 'index.html': withAsset, [image]: bytes });
    await deploy();
    online.delete(`/${file}`);
    await folder.remove('dist');
    await folder.write(await historyFile(), older);
    online.set('/index.html', without);
    expect(await withdraw()).toMatchObject({
      ...{ exitCode: 3, gone: false, gaps: [{ kind: 'gap', reason: 'older' }] },
      ...{ urls: [{ gone: true }], pages: [{ gone: true }] },
    });
  });

  test('a folder that is reconciled is in the history too', async () => {
    await takeDown();
    const added = image.replace(hash('b'), hash('c'));
    await folder.write('dist/index.html', withAsset.replace(image, added));
    await folder.write(`dist/${added}`, 'an image');
    const { exitCode, output } = await command('reconcile', 'dist', '--yes');
    expect(exitCode, output).toBe(0);
    expect(await readHistory()).toContain(added);
  });

  test('a checkout has the pages that the service lists, and proves nothing', async () => {
    const pages = Array.from({ length: 8 }, (_, at) => `${live.url}/${at}/`);
    given.host = (request, response) => request.url !== '/' && answer(response, 200, withAsset);
    await build(Object.fromEntries(pages.map((_, at) => [`${at}/index.html`, withAsset])));
    await folder.remove('.media-asset');
    await folder.remove('dist');
    const [listed] = server.model.records;
    // A use in a project is on no page.
    if (listed) server.model.records.push({ ...listed, page: '' });
    const found = await withdraw('--site', live.url, '--service', server.url);
    const unknown = ['build', 'history', 'ledger'];
    expect(found).toMatchObject({ exitCode: 3, gone: false, elsewhere: 0, unknown });
    expect(found.pages).toHaveLength(8);
    expect(found.pages[0]).toMatchObject({ from: ['service'], gone: false });
  });

  test('a page that the service lists has no control characters in the terminal', async () => {
    given.host = ({ url }, response) => url !== '/' && answer(response, 200, withAsset);
    await build({ 'index.html': withAsset });
    const [listed] = server.model.records;
    const page = `${live.url}/quay\u001b[2J/`;
    if (listed) server.model.records.push({ ...listed, page });
    const { stdout } = await command('withdraw', '4711');
    expect(stdout).toContain(
      `200  ${live.url}/quay [2J/  it still names the asset (listed by the service)`,
    );
    expect(stdout).not.toContain('\u001b');
  });

  test('nothing is proved in a checkout if the service lists nothing', async () => {
    const found = await withdraw('--site', live.url, '--service', 'http://127.0.0.1:9');
    const unknown = ['build', 'history', 'ledger', 'service'];
    expect(found).toMatchObject({ exitCode: 3, gone: false, pages: [], urls: [], unknown });
  });
});

test('the history is written before the first usage is sent, so a killed run loses nothing', async () => {
  let atFirst: string | undefined;
  server.treat = async () => {
    atFirst ??= await readHistory();
    return 'done' as const;
  };
  await build({ 'index.html': withAsset, [image]: bytes });
  expect(atFirst).toContain(`${live.url}/${image}`);
});

test('a plan adds nothing to the history', async () => {
  await build({ 'index.html': without });
  const before = await readHistory();
  await folder.write('dist/index.html', withAsset);
  await folder.write(`dist/${image}`, 'an image');
  expect((await command('plan', 'dist')).exitCode).toBe(0);
  expect(await readHistory()).toBe(before);
});

test('a broken history stops a report and a withdrawal, and stays as it is', async () => {
  await takeDown();
  await folder.write(await historyFile(), '{');
  const reported = await command('report', 'dist', '--yes');
  expect(reported.output).toContain('history-broken');
  expect(await withdraw()).toMatchObject({ exitCode: 1, error: { code: 'history-broken' } });
  expect(await readHistory()).toBe('{');
});

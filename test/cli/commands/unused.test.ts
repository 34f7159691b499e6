import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const site = 'https://harbour.example';
const { emulator } = await startEmulatorLibrary();
const folder = useBuiltFolder();

/** Folder 2 has the assets 4711 and 4712, folder 3 has 4713. */
const rendition = (id: number) =>
  `/_astro/media-asset/${id}-${'a'.repeat(16)}-${'b'.repeat(16)}-q.webp`;

beforeEach(() => folder.page('dist/index.html', 'Harbour'));
afterEach(() => emulator.reset());

async function unused(...words: string[]) {
  const all = ['unused', 'dist', '--site', site, '--service', emulator.url, ...words];
  const { exitCode, stdout, stderr } = await folder.command(all, emulator.env);
  return { exitCode, stdout, stderr };
}

const idsIn = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout).assets.map(
    ({ id, elsewhere }: Record<string, unknown>) => `${id} ${elsewhere}`,
  );

describe('`media-asset unused`', () => {
  test('lists the assets of folders that nothing uses, and says what it can’t know', async () => {
    const { exitCode, stdout } = await unused('--folder', '2');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ *id {2}name .*\n4711 {2}ferry .* none\n4712 /);
    expect(stdout).toContain('2 of 2 assets: no file of this site names them.\n');
    expect(stdout).toContain('Not known: pages rendered on demand, drafts');
    expect(idsIn(await unused('--folder', '2', '--folder', '3', '--json'))).toEqual([
      ...['4711 none', '4712 none', '4713 none'],
    ]);
  });

  test.each([
    ['a page', 'dist/quay/index.html', '<title>Quay</title><p data-media-asset="4711"></p>'],
    [
      'an excluded page',
      'dist/drafts/index.html',
      `<title>A</title><img src="${rendition(4711)}">`,
    ],
    [
      'a redirect page',
      'dist/old/index.html',
      `<meta http-equiv="refresh" content="0;url=/">${rendition(4711)}`,
    ],
    ['a feed', 'dist/feed.xml', `<link>${rendition(4711)}</link>`],
    ['data', 'dist/quays.json', JSON.stringify([rendition(4711)])],
    ['a script', 'dist/a.js', `fetch("${emulator.url}/1/file/4711/download/0")`],
  ])('leaves out an asset that %s names', async (_, file, text) => {
    await folder.write(file, text);
    expect(idsIn(await unused('--folder', '2', '--json', '--exclude', '/drafts'))).toEqual([
      '4712 none',
    ]);
  });

  test('leaves out an asset that someone else uses', async () => {
    await folder.page('other/index.html', 'Elsewhere', 4711);
    const report = ['report', 'other', '--site', 'https://other.example', '--yes'];
    await folder.command([...report, '--service', emulator.url], emulator.env);
    const run = await unused('--folder', '2');
    expect(run.stdout).not.toContain('4711');
    expect(run.stdout).toContain('The service lists usages of 1 others.');
  });

  test.each(['{}', '<html>'])(
    'says which usages are unknown if the service has no list of them, but %s',
    async (none) => {
      const list = JSON.stringify([{ id: 5, name: '=quay', filename: 'quay.jpg' }]);
      const server = await startLocalServer((request, response) => {
        const isList = request.url?.includes('/folder/');
        response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
        response.end(isList ? list : none);
      });
      const environment = { MEDIA_ASSET_BASE_URL: server.url, MEDIA_ASSET_ACCESS_TOKEN: 'a' };
      const words = ['unused', 'dist', '--site', site, '--folder', '1'];
      const shown = await folder.command(words, environment);
      expect(shown.stdout).toMatch(/\n *5 {2}=quay .* unknown\n/);
      expect(shown.stdout).toContain('Of 1, the service lists no usages, so others may use them.');
      const csv = await folder.command([...words, '--csv'], environment);
      expect(csv.stdout).toContain(`\r\n5,"'=quay","jpg"`);
      expect(csv.stdout).toMatch(/"unknown"\r\n$/);
      await server.close();
    },
  );

  test('is an error for a folder that isn’t there, and of pages that aren’t whole', async () => {
    expect((await unused('--folder', '99')).stderr).toContain('[library-unknown]');
    expect((await unused()).stderr).toContain('--folder');
    await folder.remove('dist');
    expect((await unused('--folder', '2')).stderr).toContain('[folder-missing]');
  });
});

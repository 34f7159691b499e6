import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnvironment } from '../support/process/compile-cache.ts';
import { startLocalServer } from '../support/service/local-server.ts';
import { type BuiltFolder, commandEntry, createBuiltFolder } from '../support/site/built-folder.ts';

const site = ['--site', 'https://harbour.example'];

let folder: BuiltFolder;

beforeAll(async () => {
  folder = await createBuiltFolder();
  await folder.page('dist/index.html', 'Harbour', 4711, 4711, 4712);
  await folder.page('dist/quay/index.html', 'The quay', 4712, 'old');
  await folder.write('empty/robots.txt', 'User-agent: *');
});

afterAll(() => folder.delete());

describe('help', () => {
  test('is shown without a command, and exits as wrong usage', async () => {
    const { exitCode, stdout, stderr } = await folder.command([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    for (const name of ['scan', 'report', 'emulator']) expect(stderr).toContain(`\n  ${name} `);
  });

  test('of a command is a result with an example, with help and --help', async () => {
    const asked = await folder.command(['help', 'files']);
    expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(asked.stdout).toMatch(/^Usage: media-asset files [\s\S]*\n {2}\$ media-asset files /);
    expect(await folder.command(['files', '--help'])).toEqual(asked);
  });
});

describe('a failure exits with 2 for wrong usage and 1 for an error, with its code and no stack', () => {
  const emulator = ['emulator', '--data', 'd', '--media'];
  const report = ['report', 'dist', '--yes', ...site];
  test.each([
    [['scna', 'dist'], 2, 'command-usage', 'Did you mean scan?'],
    [['explain', 'site-mising'], 2, 'command-usage', 'Did you mean `site-missing`?'],
    [['scan', 'dist', 'empty', ...site], 2, 'command-usage', 'Too many arguments'],
    [['scan', 'dist', '--format', 'flat'], 2, 'command-usage', 'directory, file, preserve'],
    [[...emulator, '.', '--port', '99999'], 2, 'command-usage', '99999'],
    [
      [...emulator, '.', '--fields', 'alt text'],
      2,
      'argument-invalid',
      'fields is "alt text"; expected names, such as a,b',
    ],
    [['scan', 'nowhere', ...site], 1, 'folder-missing', 'There is no folder'],
    [['scan', 'dist/index.html', ...site], 1, 'folder-missing', 'There is no folder'],
    [['scan', 'empty', ...site], 1, 'scan-empty', 'empty'],
    [['plan', 'dist', ...site], 1, 'service-not-configured', 'MEDIA_ASSET_BASE_URL'],
    [[...report, '--service', 'https://a.example'], 1, 'service-not-configured', 'CLIENT_SECRET'],
    [report, 1, 'service-not-configured', 'CLIENT_SECRET'],
    [[...emulator, 'nowhere'], 1, 'emulator-media-unusable', 'nowhere'],
  ])('media-asset %s', async (words, exitCode, code, text) => {
    const { stderr, ...run } = await folder.command(words);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('and a URL with a password is not shown', async () => {
    const words = ['scan', 'dist', '--site', 'https://editor:lantern@harbour.example'];
    const { exitCode, output } = await folder.command(words);
    expect(exitCode).toBe(2);
    expect(output).toContain('--site contains a user name or password');
    expect(output).not.toContain('lantern');
  });

  test('and an emulator on a port in use suggests a fix', async () => {
    const { port, close } = await startLocalServer(() => {});
    const words = [...emulator, 'empty', '--port', String(port)];
    expect(await folder.command(words)).toMatchObject({
      ...{ exitCode: 1, stdout: '' },
      stderr: expect.stringMatching(/Port \d+ of 127\.0\.0\.1 is in use\.[\s\S]*\[port-busy\]/),
    });
    await close();
  });
});

test("explain prints what the errors page says about a code, and not the next group's heading", async () => {
  const { exitCode, stdout } = await folder.command(['explain', 'file-is-picture']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^.*asset <id> is .*\n\nFix: Show it with <MediaAsset>, or in .*\n$/);
  const last = await folder.command(['explain', 'environment-unreadable']);
  expect(last.stdout).toMatch(/^The file <path> couldn't be read\.\n\nFix: Check .*\.\n$/);
});

describe('scan', () => {
  test('prints pages and assets for people, and findings separately', async () => {
    const { exitCode, stdout, stderr } = await folder.command(['scan', 'dist', ...site]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Harbour  https://harbour.example/
  4711, 4712
The quay  https://harbour.example/quay/
  4712
2 pages scanned, 2 assets in 3 usages on 2 pages.
`);
    expect(stderr).toContain('[asset-id-invalid]');
  });

  test('prints only JSON to stdout with --json', async () => {
    const { stdout, stderr } = await folder.command(['scan', 'dist', ...site, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 2,
      site: 'https://harbour.example',
      pages: {
        'https://harbour.example/': { pageName: 'Harbour', assets: [4711, 4712] },
        'https://harbour.example/quay/': { pageName: 'The quay', assets: [4712] },
      },
      findings: [{ code: 'asset-id-invalid', page: 'https://harbour.example/quay/' }],
    });
    expect(stderr).toContain('[asset-id-invalid]');
  });

  test('prints similar warnings as one, all of them in JSON, and no control character', async () => {
    const other = await createBuiltFolder();
    await other.page('dist/index.html', 'Harbour\u001b[2J\u0007', 'old0', 'old1', 4711);
    const github = { GITHUB_ACTIONS: 'true' };
    const { stderr, stdout } = await other.command(['scan', 'dist', ...site], github);
    expect(stderr.match(/^::warning title=asset-id-invalid::.*/gm)).toEqual([
      expect.stringContaining('::2 similar warnings:'),
    ]);
    expect(stdout).toContain('Harbour [2J');
    expect(stdout).not.toContain('\u001b');
    const json = await other.command(['scan', 'dist', ...site, '--json']);
    expect(JSON.parse(json.stdout).findings).toHaveLength(3);
    await other.delete();
  });

  test('leaves out every --exclude, with the folder at any position', async () => {
    const words = ['scan', '--exclude', '/quay/**', '--exclude', '/old/**', 'dist', ...site];
    const { stdout } = await folder.command(words);
    expect(stdout).toContain('1 page scanned, 2 assets in 2 usages on 1 page, 1 page excluded.');
  });

  test('ends quietly when the pipe is closed', async () => {
    const words = [commandEntry, 'scan', 'dist', ...site, '--json'];
    const child = spawn(process.execPath, words, { cwd: folder.dir, env: childEnvironment });
    child.stdout.destroy();
    const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    expect(code).toBe(0);
    expect(stderr).not.toContain('EPIPE');
  });
});

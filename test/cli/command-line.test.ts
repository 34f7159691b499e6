import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnvironment } from '../support/process/compile-cache.ts';
import { startLocalServer } from '../support/service/local-server.ts';
import { type BuiltFolder, commandEntry, createBuiltFolder } from '../support/site/built-folder.ts';

const site = ['--site', 'https://harbour.example'];
const service = ['--service', 'https://media.example'];

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
    const asked = await folder.command(['help', 'fetch']);
    expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(asked.stdout).toMatch(/^Usage: media-asset fetch [\s\S]*\n {2}\$ media-asset fetch /);
    expect(await folder.command(['fetch', '--help'])).toEqual(asked);
  });
});

describe('wrong usage exits with 2 and prints a hint to stderr', () => {
  test.each([
    ['an unknown command', ['scna', 'dist'], 'Did you mean scan?'],
    ['a slip in a code', ['explain', 'site-mising'], 'site-mising. Did you mean `site-missing`?'],
    ['two folders', ['scan', 'dist', 'empty', ...site], 'Too many arguments'],
    [
      'a flag without its choice',
      ['scan', 'dist', '--format', 'flat'],
      'directory, file, preserve',
    ],
    ['an invalid port', ['emulator', '--media', '.', '--data', 'd', '--port', '99999'], '99999'],
    [
      'an invalid emulator setting',
      ['emulator', '--media', '.', '--data', 'd', '--fields', 'alt text'],
      'fields: expected names, such as a,b, received "alt text"',
    ],
  ])('%s', async (_, words, text) => {
    const { exitCode, stdout, stderr } = await folder.command(words);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('a URL with a password is refused and not shown', async () => {
    const words = ['scan', 'dist', '--site', 'https://editor:lantern@harbour.example'];
    const { exitCode, output } = await folder.command(words);
    expect(exitCode).toBe(2);
    expect(output).toContain('--site contains a user name or password');
    expect(output).not.toContain('lantern');
  });
});

describe('an error exits with 1, its code and hint, and no stack', () => {
  test.each([
    ['folder-missing', ['scan', 'nowhere', ...site], 'There is no folder'],
    ['folder-missing', ['scan', 'dist/index.html', ...site], 'is a file, not a folder'],
    ['scan-empty', ['scan', 'empty', ...site], 'empty'],
    ['service-not-configured', ['plan', 'dist', ...site], 'MEDIA_ASSET_BASE_URL'],
    ['service-not-configured', ['report', 'dist', '--yes', ...site, ...service], 'CLIENT_SECRET'],
    ['service-not-configured', ['report', 'dist', '--yes', ...site], 'CLIENT_SECRET'],
    ['emulator-media-unusable', ['emulator', '--media', 'nowhere', '--data', 'd'], 'nowhere'],
  ])('%s: media-asset %s', async (code, words, text) => {
    const { exitCode, stdout, stderr } = await folder.command(words);
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test("explain prints what the errors page says about a code, and not the next group's heading", async () => {
  const { exitCode, stdout } = await folder.command(['explain', 'file-is-picture']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^.*asset <id> is .*\n\nFix: Show it with <MediaAsset>, or in .*\n$/);
  const last = await folder.command(['explain', 'environment-unreadable']);
  expect(last.stdout).toMatch(/^The file <path> couldn't be read\.\n\nFix: Check .*\.\n$/);
});

test('an emulator on a port in use exits with 1 and suggests a fix', async () => {
  const { port, close } = await startLocalServer(() => {});
  const words = ['emulator', '--media', 'empty', '--data', 'data', '--port', String(port)];
  const { exitCode, stdout, stderr } = await folder.command(words);
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use.`);
  expect(stderr).toContain('[port-busy]');
  await close();
});

describe('scan', () => {
  test('prints pages and assets for people, and findings separately', async () => {
    const { exitCode, stdout, stderr } = await folder.command(['scan', 'dist', ...site]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'Harbour  https://harbour.example/',
        '  4711, 4712',
        'The quay  https://harbour.example/quay/',
        '  4712',
        '2 pages scanned, 2 assets in 3 usages on 2 pages.',
        '',
      ].join('\n'),
    );
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

  test('prints similar warnings as one, and all of them in JSON', async () => {
    const other = await createBuiltFolder();
    await other.page('dist/index.html', 'Harbour', 'old0', 'old1');
    const words = ['scan', 'dist', ...site, '--json'];
    const { stderr, stdout } = await other.command(words, { GITHUB_ACTIONS: 'true' });
    expect(stderr).toMatch(/^::warning title=asset-id-invalid::2 similar warnings:.*\n$/);
    expect(JSON.parse(stdout).findings).toHaveLength(2);
    await other.delete();
  });

  test('leaves out every --exclude, with the folder at any position', async () => {
    const words = ['scan', '--exclude', '/quay/**', '--exclude', '/old/**', 'dist', ...site];
    const { stdout } = await folder.command(words);
    expect(stdout).toContain('1 page scanned, 2 assets in 2 usages on 1 page, 1 page excluded.');
  });

  test('removes control characters from names', async () => {
    const other = await createBuiltFolder();
    await other.page('dist/index.html', 'Harbour\u001b[2J\u0007', 4711);
    const { stdout } = await other.command(['scan', 'dist', ...site]);
    expect(stdout).toContain('Harbour [2J');
    expect(stdout).not.toContain('\u001b');
    await other.delete();
  });

  test('ends quietly when the pipe is closed', async () => {
    const words = [commandEntry, 'scan', 'dist', ...site, '--json'];
    const child = spawn(process.execPath, words, { cwd: folder.dir, env: childEnvironment });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(stderr).not.toContain('EPIPE');
  });
});

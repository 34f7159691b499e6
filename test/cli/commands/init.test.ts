import { readFile, stat } from 'node:fs/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { publicClients } from '../../support/bends/profiles.ts';
import { openInteractiveTerminal } from '../../support/process/interactive-terminal.ts';
import { forwardRequest } from '../../support/service/forward-request.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { startService } from '../../support/service/start-service.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const emulator = await startService([{ path: 'harbour/quay.jpg', width: 1200, height: 800 }]);

const folder = useBuiltFolder();
const read = (file: string) => readFile(folder.path(file), 'utf8');

const config = 'export default { integrations: [] };\n';

beforeEach(() => folder.write('astro.config.mjs', config));

describe('a service', () => {
  const plain = { tokenEncoding: 'form', downloads: 'bytes', crops: 'size', listsUsages: true };
  test.each([
    ['as the interface shows it', {}, plain],
    ['that takes JSON', { tokenEncoding: 'json' }, { ...plain, tokenEncoding: 'json' }],
    ['that redirects', { downloads: 'redirect' }, plain],
    ['that answers with URLs', { downloads: 'json' }, { ...plain, downloads: 'url' }],
    ['that cuts corners', { customFormat: 'corners' }, { ...plain, crops: 'corners' }],
    ['that lists no usages', { usageList: 'missing' }, { ...plain, listsUsages: false }],
    [
      'of public clients',
      publicClients,
      { tokenEncoding: 'query', downloads: 'url', crops: 'corners', listsUsages: true },
    ],
  ] as const)('%s is known after at most 10 requests', async (_, bends, facts) => {
    const service = await startService([{ path: 'quay.jpg', width: 1200, height: 800 }], bends);
    const { stdout, exitCode } = await folder.command(['init', '--json'], service.env);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ...facts, written: false });
    const sent = service.log().filter(({ path }) => path.startsWith('/1/'));
    expect(sent.length).toBeLessThanOrEqual(10);
    await service.stop();
  });

  test.each([
    ['a password', { MEDIA_ASSET_PASSWORD: 'lantern-oil' }],
    ['a refresh token', { MEDIA_ASSET_REFRESH_TOKEN: 'lantern-oil' }],
  ])('that has read %s gets no secret in a URL', async (_, secrets) => {
    emulator.clearLog();
    const env = { ...emulator.env, ...secrets };
    const { exitCode, stderr } = await folder.command(['init'], env);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('refused the credentials')]);
    expect(emulator.log().map(({ path, query }) => [path, query])).toEqual([
      ['/1/oauth2/token', ''],
    ]);
  });
});

test('an outage while it asks is an error, and says nothing about crops', async () => {
  await emulator.setFaults([{ kind: 'status', status: 503, call: 'custom-format' }]);
  const { exitCode, stderr } = await folder.command(['init'], emulator.env);
  await emulator.clearFaults();
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[service-failed]')]);
});

test('shows what it would write, without values, and writes nothing unasked', async () => {
  const { stdout, stderr } = await folder.command(['init'], emulator.env);
  expect(stdout).toBe('Nothing was written. --yes writes without asking.\n');
  expect(stderr).toContain('new        .env\n  + MEDIA_ASSET_BASE_URL=…\n');
  expect(stderr).not.toContain(emulator.env.MEDIA_ASSET_PASSWORD);
  expect(await read('astro.config.mjs')).toBe(config);
});

test('writes once, and finds nothing to do when it runs again', async () => {
  const words = ['init', '--yes', '--site', 'https://www.example.org'];
  expect((await folder.command(words, emulator.env)).stdout).toMatch(
    /^Written\. .*asset 4711\.\n$/,
  );
  const written = await read('astro.config.mjs');
  expect(written).toContain('site: "https://www.example.org"');
  expect((await folder.command(words, {})).stdout).toBe('Everything is set up.\n');
  expect(await read('astro.config.mjs')).toBe(written);
});

test('says what to paste into a config that it can’t change', async () => {
  const own = 'export default () => ({ integrations: [] });\n';
  await folder.write('astro.config.mjs', own);
  const { stderr } = await folder.command(['init', '--yes'], emulator.env);
  expect(stderr).toContain(
    "Add this to astro.config.mjs by hand:\n\nimport mediaAsset from 'astro-media-asset';",
  );
  expect(await read('astro.config.mjs')).toBe(own);
});

test.each([
  ['a folder named .env', 'environment-unreadable', () => folder.write('.env/pyvenv.cfg', '')],
  ['an .env file that it can’t write', 'file-unwritable', () => folder.write('.env.tmp/a', '')],
] as const)('%s is an error', async (_, code, spoil) => {
  await spoil();
  const { exitCode, stderr } = await folder.command(['init', '--yes'], emulator.env);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`[${code}]`)]);
});

test('is wrong usage in a folder without an Astro config', async () => {
  await folder.remove('astro.config.mjs');
  const { exitCode, stderr } = await folder.command(['init'], emulator.env);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no Astro config')]);
});

test('asks a person, hides secrets, and sends them to no guessed host', async () => {
  // A service whose tokens come from another host.
  const api = await startLocalServer(async (request, response) => {
    const isToken = request.url?.startsWith('/1/oauth2/');
    if (isToken) return void response.writeHead(404).end();
    const { status, headers, bytes } = await forwardRequest(emulator.url, request);
    response.writeHead(status, headers).end(bytes);
  });
  onTestFinished(() => api.close());
  const terminal = openInteractiveTerminal(['init'], { directory: folder.dir });
  const answers = [
    ["URL of the service's API: ", api.url],
    ['Client ID: ', 'emulator'],
    ['Client secret (hidden): ', 'emulator-secret'],
    ['User name (empty for a token): ', 'editor'],
    ['Password (hidden): ', 'harbour'],
    ['such as https://accounts.example.org: ', emulator.url],
    ['Write these files? [y/N] ', 'y'],
  ] as const;
  for (const [question, answer] of answers) {
    await terminal.waitFor(question);
    terminal.type(`${answer}\r`);
  }
  expect(await terminal.waitForExit()).toBe(0);
  expect(terminal.received).not.toMatch(/emulator-secret|harbour/);
  expect(await read('.env')).toBe(`MEDIA_ASSET_BASE_URL=${api.url}
MEDIA_ASSET_ACCOUNTS_URL=${emulator.url}
MEDIA_ASSET_CLIENT_ID=emulator
MEDIA_ASSET_CLIENT_SECRET=emulator-secret
MEDIA_ASSET_USERNAME=editor
MEDIA_ASSET_PASSWORD=harbour
`);
  expect((await stat(folder.path('.env'))).mode & 0o777).toBe(0o600);
});

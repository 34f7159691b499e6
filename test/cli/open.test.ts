import { chmod, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openInteractiveTerminal } from '../support/process/interactive-terminal.ts';
import { type BuiltFolder, builtRules, createBuiltFolder } from '../support/site/built-folder.ts';

let folder: BuiltFolder;

beforeEach(async () => {
  folder = await createBuiltFolder();
});

afterEach(() => folder.delete());

const emulator = { MEDIA_ASSET_BASE_URL: 'http://127.0.0.1:4700' };
const service = { MEDIA_ASSET_BASE_URL: 'https://media.example' };
const pattern = { MEDIA_ASSET_ASSET_URL: 'https://dam.example/assets/{id}#info' };

test.each([
  ['in the emulator', emulator, '-4711', 'http://127.0.0.1:4700/asset/-4711'],
  ['in the service', { ...service, ...pattern }, '4711', 'https://dam.example/assets/4711#info'],
  [
    'at its own URL, also of the emulator',
    { ...emulator, ...pattern },
    '5',
    'https://dam.example/assets/5#info',
  ],
])("prints the URL of an asset's page %s, without a terminal", async (_, variables, id, url) => {
  const { exitCode, stdout, stderr } = await folder.command(['open', '--', id], variables);
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `${url}\n`, stderr: '' });
  const json = await folder.command(['open', '--json', '--', id], variables);
  expect(JSON.parse(json.stdout)).toEqual({ version: 1, id: Number(id), url });
});

test("knows the URL of the last build's site", async () => {
  const settings = {
    tokenEncoding: 'form',
    concurrency: 8,
    maxIdsPerRequest: 100,
    maxUnsent: 7,
  } as const;
  const assetUrl = 'https://dam.example/{id}';
  await folder.build({
    ...builtRules,
    service: 'https://media.example',
    settings: { ...settings, assetUrl },
  });
  expect((await folder.command(['open', '4711'])).stdout).toBe('https://dam.example/4711\n');
});

test('is an error if the URL of asset pages is unknown', async () => {
  const { exitCode, output } = await folder.command(['open', '4711'], service);
  expect(exitCode).toBe(2);
  expect(output).toContain('Set MEDIA_ASSET_ASSET_URL or the option service.assetUrl');
});

test.skipIf(process.platform !== 'linux')(
  'opens the page in a browser from a terminal',
  async () => {
    await folder.write('bin/xdg-open', `#!/bin/sh\nprintf '%s\\n' "$#" "$@" >"$HOME/opened"\n`);
    await chmod(folder.path('bin/xdg-open'), 0o755);
    const variables = { MEDIA_ASSET_ASSET_URL: 'https://dam.example/?a={id}&b=$(id) c' };
    const terminal = openInteractiveTerminal(['open', '4711'], {
      directory: folder.dir,
      environment: { PATH: `${folder.path('bin')}:${process.env.PATH}`, ...variables },
    });
    expect(await terminal.waitForExit()).toBe(0);
    // The command doesn't wait for the browser.
    const opened = () => readFile(folder.path('opened'), 'utf8');
    await expect.poll(opened).toBe('1\nhttps://dam.example/?a=4711&b=$(id) c\n');
  },
);

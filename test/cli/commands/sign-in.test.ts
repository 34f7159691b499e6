/** @module-tag slow */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Diagnosis } from '../../../src/cli/doctor/checks.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import { runCommand } from '../../support/process/run-command.ts';
import { findRedis, startRedis } from '../../support/process/start-redis.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { startLogin, submitAuthorization } from '../../support/service/login.ts';
import { commandEntry } from '../../support/site/built-folder.ts';
import { type Run, run } from '../../support/site/site.ts';

let media: string;
let emulator: EmulatorProcess;
let home: string;
let env: Record<string, string>;

beforeAll(async () => {
  media = await drawTestImages([{ path: 'quay.png', width: 40, height: 30 }]);
  emulator = await startEmulatorProcess({ media, refreshTokens: 'rotated' });
});
afterAll(async () => {
  await emulator.stop();
  await rm(media, { recursive: true });
});

beforeEach(async () => {
  home = await temporaryFolder('new user');
  env = {
    HOME: home,
    MEDIA_ASSET_BASE_URL: emulator.url,
    MEDIA_ASSET_CLIENT_ID: 'emulator',
    MEDIA_ASSET_CLIENT_SECRET: 'emulator-secret',
  };
});
const command = (...words: string[]): Promise<Run> => run(home, commandEntry, words, env);
/** What doctor says of the options and the credentials. */
async function doctorSays(): Promise<{ text: string; output: string }> {
  const { stdout, output } = await command('doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: Diagnosis[] };
  const said = checks.filter(({ subject }) => ['options', 'credentials'].includes(subject));
  return { text: said.map(({ text, todo }) => `${text} ${todo}`).join('\n'), output };
}

const storePath = () => join(home, '.config/astro-media-asset/tokens.json');

const login = (...words: string[]) => startLogin({ directory: home, environment: env, words });

async function signIn(): Promise<void> {
  const signingIn = await login();
  await fetch(await submitAuthorization(signingIn.address));
  expect((await signingIn.ended).exitCode).toBe(0);
}

describe('a new user', () => {
  test('signs in with a browser, sees it, and signs out', async () => {
    expect((await doctorSays()).text).toContain('[sign-in-missing]');

    const signingIn = await login();
    const page = await fetch(await submitAuthorization(signingIn.address));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('You can close this tab');
    const { exitCode, stdout } = await signingIn.ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Signed in to ${emulator.url}`);
    expect(stdout).toContain(storePath());

    expect((await stat(storePath())).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, '.config/astro-media-asset'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(home, '.config/astro-media-asset'))).toEqual(['tokens.json']);

    const known = await doctorSays();
    expect(known.text).toContain('with credentials from media-asset login.');
    expect(known.text).toContain('The service accepts them.');
    const tokens = /"(?:access|refresh)Token": "([^"]+)"/g;
    const secrets = [...(await readFile(storePath(), 'utf8')).matchAll(tokens)].map(
      ([, one]) => one,
    );
    expect(secrets).toHaveLength(2);
    for (const secret of secrets) expect(`${stdout}${known.output}`).not.toContain(secret);

    expect((await command('folders')).exitCode).toBe(0);
    expect((await command('logout')).stdout).toContain('Signed out');
    expect((await command('folders')).exitCode).toBe(1);
  });

  test.each([
    ['the whole address', (callback: string) => callback],
    ['the code', (callback: string) => new URL(callback).searchParams.get('code') ?? ''],
  ])('can paste %s', async (_, pasted) => {
    const signingIn = await login();
    signingIn.type(`${pasted(await submitAuthorization(signingIn.address))}\n`);
    const { exitCode, stdout } = await signingIn.ended;
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Signed in');
  });

  test('sees a denial in the browser and the terminal', async () => {
    const signingIn = await login();
    const page = await fetch(await submitAuthorization(signingIn.address, { decision: 'deny' }));
    expect(await page.text()).toContain("You aren't signed in");
    const { exitCode, stderr } = await signingIn.ended;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The user denied access (access_denied)');
    expect(stderr).toContain('[sign-in-refused]');
  });

  test("isn't signed in by a foreign callback, and can continue", async () => {
    const signingIn = await login();
    const callback = await submitAuthorization(signingIn.address);
    const forged = new URL(callback);
    forged.searchParams.set('state', 'x'.repeat(43));
    expect((await fetch(forged)).status).toBe(400);
    expect((await fetch(new URL('/other', callback))).status).toBe(404);
    expect((await fetch(callback)).status).toBe(200);
    expect((await signingIn.ended).exitCode).toBe(0);
  });

  test('cancels with Ctrl-C, and nothing is stored', async () => {
    const signingIn = await login('--json');
    signingIn.interrupt();
    const { exitCode, stdout, stderr } = await signingIn.ended;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, error: { code: 'call-ended' } });
    expect(stderr).toContain('Canceled.');
    expect(stderr).not.toMatch(/^\s+at /m);
    await expect(stat(storePath())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.runIf(findRedis())(
    'stores an encrypted sign-in in a Redis for several machines',
    { tags: ['slow'] },
    async () => {
      const redis = await startRedis();
      onTestFinished(async () => void (await redis.stop()));
      env.MEDIA_ASSET_TOKEN_STORE = redis.url;
      expect((await doctorSays()).text).toContain('[token-key-missing]');
      env.MEDIA_ASSET_TOKEN_KEY = 'a key of sixteen or more';
      await signIn();
      expect(await readdir(home)).not.toContain('.config');
      expect((await doctorSays()).text).toContain('The service accepts them.');
      env.MEDIA_ASSET_TOKEN_KEY = 'another key of sixteen';
      expect((await doctorSays()).text).toContain('[token-key-wrong]');
    },
  );
});

describe('bad input', () => {
  /** In this process, because none of these commands gets as far as the user's own folder. */
  const refused = (...words: string[]) => runCommand(words, { directory: home, environment: env });

  test('a service over http', async () => {
    const { exitCode, stderr } = await refused('login', '--service', 'http://dam.example');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('http://dam.example: expected an https URL');
  });

  test.each(['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET'])('no MEDIA_ASSET_%s', async (name) => {
    delete env[`MEDIA_ASSET_${name}`];
    for (const word of ['login', 'logout']) {
      const { exitCode, stderr } = await refused(word);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`MEDIA_ASSET_${name}`);
      expect(stderr).toContain('[service-not-configured]');
      // A sign-in doesn't help with a missing setting.
      expect(stderr).not.toContain('media-asset login');
    }
  });

  test('a port in use', async () => {
    const { port, close } = await startLocalServer(() => {});
    const { exitCode, stderr } = await command('login', '--port', String(port));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[port-busy]');
    await close();
  });

  test('a config folder that is a file', async () => {
    await writeFile(join(home, '.config'), '');
    const { exitCode, stderr } = await command('login');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[token-store-unusable]');
  });
});

describe('doctor names the source of the credentials', () => {
  test.each([
    { MEDIA_ASSET_USERNAME: 'editor', MEDIA_ASSET_PASSWORD: 's3cr3t-1' },
    { MEDIA_ASSET_REFRESH_TOKEN: 's3cr3t-2' },
    { MEDIA_ASSET_ACCESS_TOKEN: 's3cr3t-3' },
  ])('%o, also if no host answers', async (variables) => {
    Object.assign(env, variables, { MEDIA_ASSET_BASE_URL: 'http://127.0.0.1:9' });
    const { text, output } = await doctorSays();
    expect(text).toContain(`with credentials from ${Object.keys(variables).join(' and ')}.`);
    expect(output).not.toContain('s3cr3t');
  });
});

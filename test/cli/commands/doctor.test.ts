import { describe, expect, test } from 'vitest';
import type { Diagnosis } from '../../../src/cli/doctor/checks.ts';
import { startService } from '../../assets/open-images.ts';
import { closedPort } from '../../service/scripted-service.ts';
import { type BuiltFolder, builtRules, builtSettings } from '../../support/site/built-folder.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const emulator = await startService([
  { path: 'harbour/a.jpg', width: 800, height: 600 },
  { path: 'b.jpg', width: 600, height: 800, seed: 1 },
]);

const rules = { ...builtRules, service: emulator.url, finished: true };

const folder = useBuiltFolder();

async function project(built: object = {}): Promise<BuiltFolder> {
  await folder.write('.media-asset/build.json', JSON.stringify({ ...rules, ...built }));
  return folder;
}

type Printed = { checks: Diagnosis[] } & Record<'problems' | 'warnings', number>;

async function examine(folder: BuiltFolder, environment: object = {}, ...words: string[]) {
  const { exitCode, stdout, stderr } = await folder.command(['doctor', '--json', ...words], {
    ...emulator.env,
    ...environment,
  });
  expect(stderr).toBe('');
  const { checks, problems, warnings }: Printed = JSON.parse(stdout);
  expect(exitCode).toBe(problems > 0 ? 1 : 0);
  const of = (subject: string) => checks.find((check) => check.subject === subject);
  return { checks, problems, warnings, of, stdout };
}

test('finds no problem in a built project', async () => {
  const { checks, problems, warnings } = await examine(await project());
  expect({ problems, warnings }).toEqual({ problems: 0, warnings: 0 });
  const subjects = checks.map(({ subject, todo }) => `${subject} ${todo}`);
  expect(subjects).toEqual(['options null', 'credentials null', 'crops null']);
});

test('shows each state as a word, with a fix', async () => {
  await project();
  const wrong = { ...emulator.env, MEDIA_ASSET_PASSWORD: 'lantern-oil' };
  const { exitCode, stdout } = await folder.command(['doctor'], wrong);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^ok {7}options {7}/m);
  expect(stdout).toMatch(/^problem {2}credentials {3}The service refused the credentials/m);
  expect(stdout).toMatch(/^ {23}Fix: Check the client ID/m);
  expect(stdout).toContain('1 problem, 0 warnings.');
});

describe('reports a problem for', () => {
  test('a missing service, and sends no request', async () => {
    const { of, checks } = await examine(folder, { MEDIA_ASSET_BASE_URL: '' });
    expect(of('options')).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('MEDIA_ASSET_BASE_URL'),
    });
    expect(checks).toHaveLength(1);
  });

  test('a wrong password, without showing it', async () => {
    const wrong = { MEDIA_ASSET_PASSWORD: 'lantern-oil' };
    const { of, stdout } = await examine(await project(), wrong);
    expect(of('credentials')?.state).toBe('problem');
    expect(of('crops')).toBe(undefined);
    expect(stdout).not.toContain('lantern-oil');
  });

  test("a token host on this machine that doesn't run, and says how to start it", async () => {
    const url = `http://127.0.0.1:${closedPort}`;
    const { of } = await examine(await project(), { MEDIA_ASSET_ACCOUNTS_URL: url });
    expect(of('credentials')).toMatchObject({
      state: 'problem',
      text: expect.stringContaining(url),
      todo: expect.stringMatching(/^Start the emulator: `npx media-asset emulator`/),
    });
  });
});

describe('crops', () => {
  test.each([
    ['size', undefined, 'ok', null],
    ['corners', undefined, 'problem', "`customFormat: 'corners'`"],
    ['corners', { customFormat: 'corners' }, 'ok', null],
    ['corners', { crops: 'local' }, 'ok', null],
  ] as const)(
    'of a service with w and h as %s, requested with %o: %s',
    async (meaning, setting, state, todo) => {
      await emulator.setSettings({ customFormat: meaning });
      const { of } = await examine(await project({ settings: { ...builtSettings, ...setting } }));
      await emulator.setSettings({ customFormat: 'size' });
      expect(of('crops')?.state).toBe(state);
      if (todo === null) expect(of('crops')?.todo).toBe(null);
      else expect(of('crops')?.todo).toContain(todo);
    },
  );

  test('are requested like in the last build', async () => {
    await emulator.setSettings({ downloads: 'json' });
    const settings = { ...builtSettings, downloads: 'url' };
    const { of } = await examine(await project({ settings }));
    await emulator.setSettings({ downloads: 'bytes' });
    expect(of('crops')?.state).toBe('ok');
  });

  test('are compared for the given asset', async () => {
    emulator.clearLog();
    const { of } = await examine(await project(), {}, '--asset', '4712');
    expect(of('crops')?.text).toContain('asset 4712');
    const paths = emulator.log().map(({ path }) => path);
    expect(paths).toContain('/1/file/4712/download/0');
    expect(paths.some((path) => path.startsWith('/1/file/4711/'))).toBe(false);
  });

  test('of a missing asset are a problem', async () => {
    const { of } = await examine(await project(), {}, '--asset', '999999');
    expect(of('crops')).toMatchObject({ state: 'problem', code: 'request-refused', asset: 999999 });
  });
});

/** @module-tag slow */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type InteractiveTerminal,
  openInteractiveTerminal,
} from '../support/process/interactive-terminal.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { describeInBrowser, useBrowser } from '../support/site/browser-tests.ts';

describeInBrowser('media-asset login, with a browser', () => {
  const browser = useBrowser();
  let emulator: EmulatorProcess;
  let home: string;

  beforeAll(async () => {
    emulator = await startEmulatorProcess({ refreshTokens: 'rotated' });
  });

  beforeEach(async () => {
    home = await temporaryFolder('new user');
  });

  afterAll(() => emulator?.stop());

  const storePath = () => join(home, '.config/astro-media-asset/tokens.json');

  const run = (...words: string[]) =>
    openInteractiveTerminal(words, {
      directory: home,
      columns: 80,
      environment: {
        MEDIA_ASSET_BASE_URL: emulator.url,
        MEDIA_ASSET_CLIENT_ID: 'emulator',
        MEDIA_ASSET_CLIENT_SECRET: 'emulator-secret',
      },
    });

  /** The authorization page whose URL the command shows. */
  async function follow(signingIn: InteractiveTerminal) {
    await signingIn.waitFor(/http\S+\/authorize\?\S+\s/);
    const [address = ''] = /http\S+\/authorize\?\S+/.exec(signingIn.received) ?? [];
    const page = await browser.open({ baseURL: emulator.url });
    await page.goto(address);
    return page;
  }

  test('signs in a new user, whose commands work from then on', async () => {
    const signingIn = run('login');
    const page = await follow(signingIn);
    await page.getByLabel('User').fill('editor');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('alert').getByText('The user name or password is wrong.').waitFor();
    expect(browser.problems()).toEqual([expect.stringMatching(/^403 /)]);
    expect(await page.getByLabel('User').inputValue()).toBe('editor');
    await page.getByLabel('Password').fill('harbour');
    await page.keyboard.press('Enter');
    await page.getByText('You can close this tab').waitFor();
    expect(new URL(page.url()).hostname).toBe('127.0.0.1');
    expect(await signingIn.waitForExit()).toBe(0);
    expect(signingIn.screen()).toContain(
      `Signed in to ${emulator.url}. Tokens are renewed as needed.`,
    );

    expect((await stat(storePath())).mode & 0o777).toBe(0o600);
    const { tokens } = JSON.parse(await readFile(storePath(), 'utf8'));
    const [kept] = Object.values<Record<string, string>>(tokens);
    const secret = expect.stringMatching(/^\S{10,}$/);
    expect(kept).toMatchObject({ accessToken: secret, refreshToken: secret });

    const asking = run('doctor');
    expect(await asking.waitForExit()).toBe(0);
    expect(asking.screen()).toContain('media-asset login');
    const listing = run('folders');
    expect(await listing.waitForExit()).toBe(0);
    expect(listing.screen()).toContain('Library');
    for (const { received } of [signingIn, asking, listing]) {
      expect(received).not.toContain(kept?.accessToken);
      expect(received).not.toContain(kept?.refreshToken);
      expect(received).not.toContain(new URL(page.url()).searchParams.get('code'));
    }
  });

  test('shows in the browser and in the terminal that access was denied', async () => {
    const signingIn = run('login');
    const page = await follow(signingIn);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('access_denied').waitFor();
    expect(browser.problems()).toEqual([expect.stringMatching(/^400 .*error=access_denied/)]);
    expect(await signingIn.waitForExit()).toBe(1);
    expect(signingIn.screen()).toContain('[sign-in-refused]');
    await expect(stat(storePath())).rejects.toThrow('ENOENT');
  });
});

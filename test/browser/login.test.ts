/** @module-tag slow */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { openInteractiveTerminal } from '../support/process/interactive-terminal.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { startEmulatorProcess } from '../support/service/emulator-process.ts';

describeInBrowser('media-asset login, with a browser', () => {
  const browser = useBrowser();

  test('signs in a new user, whose commands work from then on', async () => {
    const emulator = await startEmulatorProcess({ refreshTokens: 'rotated' });
    onTestFinished(async () => void (await emulator.stop()));
    const directory = await temporaryFolder('new user');
    const environment = {
      MEDIA_ASSET_BASE_URL: emulator.url,
      MEDIA_ASSET_CLIENT_ID: 'emulator',
      MEDIA_ASSET_CLIENT_SECRET: 'emulator-secret',
    };
    const run = (...words: string[]) =>
      openInteractiveTerminal(words, { directory, columns: 80, environment });
    const signingIn = run('login');
    await signingIn.waitFor(/http\S+\/authorize\?\S+\s/);
    const [address = ''] = /http\S+\/authorize\?\S+/.exec(signingIn.received) ?? [];
    const page = await browser.open({ baseURL: emulator.url });
    await page.goto(address);
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

    const store = join(directory, '.config/astro-media-asset/tokens.json');
    expect((await stat(store)).mode & 0o777).toBe(0o600);
    const { tokens } = JSON.parse(await readFile(store, 'utf8'));
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
});

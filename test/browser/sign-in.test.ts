/** @module-tag slow */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { type LocalServer, startLocalServer } from '../support/service/local-server.ts';
import { describeInBrowser, useBrowser } from '../support/site/browser-tests.ts';

describeInBrowser('signing in with a browser', () => {
  const browser = useBrowser();
  let emulator: EmulatorProcess;
  let application: LocalServer;
  let redirectUri: string;

  beforeAll(async () => {
    emulator = await startEmulatorProcess();
    application = await startLocalServer((_, answer) => {
      answer.setHeader('Content-Type', 'text/html');
      answer.end('<link rel="icon" href="data:,"><p>Back in the application</p>');
    });
    redirectUri = `${application.url}/callback`;
  });

  afterAll(async () => {
    await application?.close();
    await emulator?.stop();
  });

  const ask = async () => {
    const search = new URLSearchParams({
      response_type: 'code',
      client_id: 'emulator',
      redirect_uri: redirectUri,
      state: 'a & b',
    });
    const page = await browser.open({ baseURL: emulator.url });
    await page.goto(`/authorize?${search}`);
    return page;
  };

  test('a wrong password is reported, the right one gives a code that can be exchanged', async () => {
    const page = await ask();
    await page.getByLabel('User').fill('editor');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('alert').getByText('The user name or password is wrong.').waitFor();
    expect(await page.getByLabel('User').inputValue()).toBe('editor');
    expect(browser.problems().map((problem) => problem.slice(0, 3))).toEqual(['403']);

    await page.getByLabel('Password').fill('harbour');
    await page.keyboard.press('Enter');
    await page.getByText('Back in the application').waitFor();
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('state')).toBe('a & b');
    const response = await fetch(`${emulator.url}/1/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: answer.get('code') ?? '',
        client_id: 'emulator',
        client_secret: 'emulator-secret',
        redirect_uri: redirectUri,
      }),
    });
    expect(await response.json()).toMatchObject({ token_type: 'Bearer' });
  });

  test('a denial is returned to the client, without a code', async () => {
    const page = await ask();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Back in the application').waitFor();
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('code')).toBeNull();
  });
});

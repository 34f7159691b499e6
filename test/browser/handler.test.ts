/** @module-tag slow */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bendDefaults } from '../support/bends/bend-settings.ts';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { expectNoToken, signInToService } from '../support/browser/editor-session.ts';
import { type HandlerServer, serveHandler } from '../support/service/serve-handler.ts';
import { startService } from '../support/service/start-service.ts';

describeInBrowser('the picker of editors who sign in', async () => {
  const browser = useBrowser();
  const images = ['quay', 'tower', 'boat'].map((name) => ({
    ...{ path: `${name}.png`, width: 300, height: 200 },
  }));
  const emulator = await startService(images);
  let server: HandlerServer;

  beforeAll(async () => {
    server = await serveHandler(emulator);
  });
  beforeEach(() => emulator.setSettings(bendDefaults));
  afterAll(() => server?.close());

  const open = async (value?: object) => {
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/');
    await page.waitForFunction("customElements.get('media-asset-field')");
    await page.evaluate(`{
      globalThis.changes = [];
      const field = document.querySelector('media-asset-field');
      document.addEventListener('change', ({ detail }) => changes.push(detail ?? null));
      field.value = ${JSON.stringify(value)};
    }`);
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const signInButton = (page: Page) =>
    dialog(page).getByRole('button', { name: 'Sign in', exact: true });
  const focused = (page: Page) =>
    page.evaluate(
      "document.querySelector('media-asset-field').shadowRoot.activeElement?.textContent",
    );
  const changes = (page: Page) => page.evaluate<unknown[]>('changes');
  /** Answers that ask for a sign-in or a renewal are expected here. */
  const expectOnlyRefusals = () =>
    expect(browser.problems().filter((problem) => !/^40[01] /.test(problem))).toEqual([]);

  const expectUnreadable = async (page: Page) =>
    expect(await expectNoToken(page, server)).not.toMatch(/[\w-]{43}/);

  test('is asked for once, in a window, and the dialog goes on where it was', async () => {
    const page = await open();
    await button(page, 'Choose').click();
    await page.getByLabel('Search assets').fill('tower');
    await signInButton(page).waitFor();
    expect(await axeViolationsInBothSchemes(page, 'body')).toEqual([]);
    // A window that someone closes leaves the button.
    const [closed] = await Promise.all([
      page.context().waitForEvent('page'),
      signInButton(page).click(),
    ]);
    await closed.close();
    await signInToService(page, () => signInButton(page).click());
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(await page.getByLabel('Search assets').inputValue()).toBe('tower');
    expect(await signInButton(page).isVisible()).toBe(false);
    await page.locator('.asset').first().click();
    await page.getByLabel('Alt text').fill('The tower');
    await button(page, 'Crop').last().click();
    await page.getByLabel('Width').fill('150');
    await page.keyboard.press('Tab');
    await button(page, 'Use this crop').click();
    await expectUnreadable(page);
    await button(page, 'Use this image').click();
    const crop = { x: 0, y: 0, width: 150, height: 200 };
    await expect
      .poll(() => changes(page))
      .toEqual([{ id: 4713, alt: 'The tower', crop: expect.objectContaining(crop) }]);
    await expectUnreadable(page);
    expectOnlyRefusals();
  });

  test('can go on in a tab if the browser blocks windows', async () => {
    const page = await open();
    await page.evaluate('globalThis.open = () => null');
    await button(page, 'Choose').click();
    await signInButton(page).click();
    await dialog(page).getByText('Your browser has blocked the window.').waitFor();
    const link = dialog(page).getByRole('link', { name: 'Sign in in a new tab' });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await tab.getByLabel('User').fill('editor');
    await tab.getByLabel('Password').fill('harbour');
    await tab.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('3 results').waitFor();
    expectOnlyRefusals();
  });

  test('says in words that access was denied, and can begin again', async () => {
    const page = await open();
    await button(page, 'Choose').click();
    const [popup] = await Promise.all([
      page.context().waitForEvent('page'),
      signInButton(page).click(),
    ]);
    await popup.getByRole('button', { name: 'Deny' }).click();
    await popup.getByText('or you didn’t allow access').waitFor();
    await popup.getByRole('link', { name: 'Sign in again' }).click();
    await popup.getByLabel('User').fill('editor');
    await popup.getByLabel('Password').fill('harbour');
    await popup.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('3 results').waitFor();
    expectOnlyRefusals();
  });

  test('keeps the typed text when the session ends while the dialog is open', async () => {
    const page = await open();
    await button(page, 'Choose').click();
    await signInToService(page, () => signInButton(page).click());
    await page.locator('.asset').first().click();
    await page.getByLabel('Alt text').fill('A text of mine');
    await page.context().clearCookies();
    await button(page, 'Crop').last().click();
    await signInToService(page, () => signInButton(page).click());
    await button(page, 'Use this crop').waitFor();
    await page.getByRole('dialog', { name: 'Crop' }).press('Escape');
    expect(await page.getByLabel('Alt text').inputValue()).toBe('A text of mine');
    await button(page, 'Use this image').click();
    await expect.poll(() => changes(page)).toMatchObject([{ alt: 'A text of mine' }]);
    expectOnlyRefusals();
  });

  test('goes on if an answer that asks for the sign-in comes after it', async () => {
    const page = await open();
    const signedIn = Promise.withResolvers<void>();
    await page.route('**/assets.json?search=tower*', hold, { times: 1 });
    async function hold(route: Route) {
      const response = await route.fetch();
      await signedIn.promise;
      await route.fulfill({ response });
    }
    await button(page, 'Choose').click();
    await signInButton(page).waitFor();
    const asked = page.waitForRequest('**/assets.json?search=tower*');
    await page.getByLabel('Search assets').fill('tower');
    await asked;
    await signInToService(page, () => signInButton(page).click());
    await signInButton(page).waitFor({ state: 'hidden' });
    signedIn.resolve();
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(await signInButton(page).isVisible()).toBe(false);
    expectOnlyRefusals();
  });

  test('can end the session on a shared computer, and the next one signs in', async () => {
    const page = await open();
    await button(page, 'Choose').click();
    await signInButton(page).waitFor();
    expect(await button(page, 'Sign out').isVisible()).toBe(false);
    await signInToService(page, () => signInButton(page).click());
    await page.getByText('3 results').waitFor();
    expect(await axeViolationsInBothSchemes(page, 'body')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 780 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // Nothing is lost if the site can't be reached.
    await page.context().setOffline(true);
    await button(page, 'Sign out').click();
    await page.getByText("The media library doesn't answer.").waitFor();
    await page.context().setOffline(false);
    await button(page, 'Sign out').click();
    await signInButton(page).waitFor();
    expect(await focused(page)).toBe('Sign in');
    expect(await button(page, 'Sign out').isVisible()).toBe(false);
    expect(await page.context().cookies()).toEqual([]);
    await page.getByLabel('Search assets').fill('tower');
    await signInToService(page, () => signInButton(page).click());
    await page.getByText('1 result', { exact: true }).waitFor();
    await button(page, 'Sign out').waitFor();
    await page.locator('.asset').first().click();
    // The name of the image needs the place.
    expect(await button(page, 'Sign out').isVisible()).toBe(false);
    await button(page, 'All images').click();
    await button(page, 'Sign out').waitFor();
    const isExpected = (problem: string) => /^401 |INTERNET_DISCONNECTED/.test(problem);
    expect(browser.problems().filter((problem) => !isExpected(problem))).toEqual([]);
  });

  test('says in plain words that the service has no such asset, or shows it to others', async () => {
    const page = await open({ id: 999999 });
    const field = page.getByRole('group', { name: 'Hero' });
    await signInToService(page, () => button(page, 'Sign in').click());
    await field
      .getByText("The media service doesn't have this, or doesn't show it to you.")
      .waitFor();
    const isExpected = (problem: string) => /^(?:401|409) /.test(problem);
    expect(browser.problems().filter((problem) => !isExpected(problem))).toEqual([]);
  });

  test('renews tokens that work once, without anyone noticing', async () => {
    await emulator.setSettings({ refreshTokens: 'rotated', tokenLifetime: 2 });
    const page = await open();
    await button(page, 'Choose').click();
    await signInToService(page, () => signInButton(page).click());
    await page.getByText('3 results').waitFor();
    for (const [name, count] of [
      ['quay', 1],
      ['o', 2],
      ['', 3],
    ] as const) {
      await page.getByLabel('Search assets').fill(name);
      const results = `${count} result${count === 1 ? '' : 's'}`;
      await page.getByText(results, { exact: true }).waitFor();
    }
    expect(await signInButton(page).isVisible()).toBe(false);
    expectOnlyRefusals();
  });
});

describeInBrowser('a hundred thumbnails', async () => {
  const browser = useBrowser();
  const images = Array.from({ length: 100 }, (_, at) => ({
    ...{ path: `image-${at}.png`, width: 30, height: 20 },
  }));
  const emulator = await startService(images);
  let server: HandlerServer;

  beforeAll(async () => {
    server = await serveHandler(emulator);
  });
  afterAll(() => server?.close());

  test('are shown in two tabs while tokens that work once expire', async () => {
    await emulator.setSettings({ refreshTokens: 'rotated', tokenLifetime: 3 });
    const first = await browser.open({ baseURL: server.url });
    const second = await first.context().newPage();
    const signIn = (page: Page) =>
      page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true });
    for (const page of [first, second]) {
      await page.goto('/');
      await page.getByRole('button', { name: 'Choose', exact: true }).click();
      if (page === first) await signInToService(page, () => signIn(page).click());
      await page.getByText('100 results').waitFor();
    }
    const showAll = async (page: Page) => {
      for (let at = 0; at < images.length; at += 1) {
        if (at % 40 === 30) await delay(3100);
        const asset = page.locator('.asset').nth(at);
        await asset.scrollIntoViewIfNeeded();
        await asset.locator('img[src^=blob]').waitFor();
      }
    };
    await Promise.all([first, second].map(showAll));
    for (const page of [first, second]) expect(await signIn(page).isVisible()).toBe(false);
    const tokens = emulator.log().filter(({ path }) => path === '/1/oauth2/token');
    expect(tokens.length).toBeGreaterThan(2);
    expect(new Set(tokens.map(({ status }) => status))).toEqual(new Set([200]));
    const isExpected = (problem: string) => problem.startsWith('401 ');
    expect(browser.problems().filter((problem) => !isExpected(problem))).toEqual([]);
  });
});

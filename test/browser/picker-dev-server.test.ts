/** @module-tag slow */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { type DevServer, startDevServer } from '../support/site/dev-server.ts';
import { useSite } from '../support/site/site-with-service.ts';

/** A page without a bundler, and as much of a CMS and of React as the module asks for. */
const admin = `<!doctype html><html lang="en"><title>Admin</title><main></main>
<script type="module">
import { registerMediaAsset } from '/_media-asset/cms/decap.js';
const h = (type, { ref, style, className, key, ...attributes }, ...children) => {
  const element = document.createElement(type);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  ref?.(element);
  return element;
};
const cms = {
  registerWidget: ({ controlComponent: control, previewComponent: preview }) =>
    Object.assign(cms, { control, preview }),
  registerEditorComponent: (component) => Object.assign(cms, { component }),
  getEditorComponents: () => new Map(),
};
registerMediaAsset(cms, { h, createClass: (methods) => methods });
const saved = [];
const field = new Map([['label', 'Hero'], ['required', false]]);
const props = { value: '', field, locale: 'de', onChange: (value) => saved.push(value) };
document.querySelector('main').append(cms.control.render.call({ props }));
const isValid = (value, field) => cms.control.isValid.call({ props: { value, field } });
Object.assign(globalThis, { cms, saved, isValid });
</script></html>`;

describeInBrowser('the picker in a CMS that the dev server serves', () => {
  const browser = useBrowser();
  const setup = useSite('main-job');
  let server: DevServer;

  beforeAll(async () => {
    await setup.site.write('public/admin/index.html', admin);
    server = await startDevServer(setup);
  });
  afterAll(() => server?.stop());

  const open = async () => {
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/admin/index.html');
    await page.waitForFunction('globalThis.saved');
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const saved = (page: Page) => page.evaluate('saved');

  test('saves an asset of the service with its crop, and shows it in the preview', async () => {
    const page = await open();
    await button(page, 'Choose').click();
    await page.getByLabel('Search assets').fill('4714');
    // Until the search is answered, what was shown before takes no click.
    await page.getByText('1 result', { exact: true }).waitFor();
    await page.locator('.asset[data-id="4714"]').click();
    await page.getByLabel('Alt text').fill('Der Turm');
    await button(page, 'Crop').last().click();
    await page.getByLabel('Width').fill('400');
    await page.keyboard.press('Tab');
    await button(page, 'Use this crop').click();
    await button(page, 'Use this image').click();
    const value = { id: 4714, alt: 'Der Turm', crop: { x: 0, y: 0, width: 400, height: 600 } };
    await expect.poll(() => saved(page)).toEqual([value]);
    const shape = (at: string) =>
      page.evaluate(`(async () => {
        const image = ${at};
        if (!image?.naturalWidth) return;
        return Math.round(100 * image.naturalWidth / image.naturalHeight);
      })()`);
    const field = "document.querySelector('media-asset-field').shadowRoot.querySelector('img')";
    await expect.poll(() => shape(field)).toBe(67);
    await page.evaluate(`document.body.append(cms.preview({ value: saved[0] }))`);
    await expect.poll(() => shape("document.querySelector('img')")).toBe(67);
    await button(page, 'Remove').click();
    // Sveltia ignores \`undefined\`.
    expect(await saved(page)).toEqual([value, null]);
  });

  test('a required field needs an asset, and others none', async () => {
    const page = await open();
    const judge = (value: string, field: string) => page.evaluate(`isValid(${value}, ${field})`);
    const missing = { error: { message: 'Choose an image.' } };
    expect(await judge("{ id: '4711' }", '{}')).toBe(true);
    expect(await judge('{ toJS: () => ({ id: 4711 }) }', 'new Map()')).toBe(true);
    expect(await judge('null', '{}')).toEqual(missing);
    expect(await judge("''", 'new Map()')).toEqual(missing);
    expect(await judge("''", '{ required: false }')).toBe(true);
  });

  test('reads and writes images of a text, and leaves what nobody has changed', async () => {
    const page = await open();
    const text = '![Quay](media:4712?width=600&crop=10,20,300,200)';
    const written = await page.evaluate(`(() => {
      const { component } = cms;
      const read = component.fromBlock(component.pattern.exec(${JSON.stringify(text)}));
      const changed = { image: { ...read.image, crop: undefined } };
      return [component.toBlock(read), component.toBlock(changed), component.toBlock({ image: null })];
    })()`);
    expect(written).toEqual([text, '![Quay](media:4712?width=600)', '']);
  });
});

/** @module-tag slow */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { MediaAsset } from '../../src/assets/request/media-asset.ts';
import { imageElement, toHtml } from '../../src/astro/markdown/image-element.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';

const stylesheet = new URL('../../src/components/media-asset.css', import.meta.url);
const rules = await readFile(stylesheet, 'utf8');

describeInBrowser('an image in a box of another shape', () => {
  const browser = useBrowser();

  /** What Chromium makes of a position. `own`: the author's `style`. */
  async function shownAt(position: string | undefined, { own = '', policy = '' } = {}) {
    const page = await browser.open({ baseURL: 'http://127.0.0.1' });
    const placing = { layout: 'constrained', fit: 'cover', position };
    const asset = { id: 4711, src: 'data:,', alt: '', sources: [], ...placing } as object;
    const given = { alt: '', attributes: { style: own || undefined } };
    const image = toHtml(imageElement(asset as MediaAsset, given));
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    await page.setContent(`${policy && meta}<style>${rules}</style>${image}`);
    return page.evaluate("getComputedStyle(document.querySelector('img')).objectPosition");
  }

  const sides = ['0% 0%', '0% 50%', '0% 100%', '50% 0%', '50% 100%', '100% 0%', '100% 50%'];

  test.each([...sides, '100% 100%', '50% 10%', '33.33% 0%', '100% 12.5%', '10% 20%'])(
    'keeps %s of it',
    async (position) => {
      expect(await shownAt(position)).toBe(position);
    },
  );

  test('keeps its middle without a position, and what the author has written', async () => {
    expect(await shownAt(undefined)).toBe('50% 50%');
    expect(await shownAt('10% 20%', { own: 'object-position: 1% 2%' })).toBe('1% 2%');
  });

  test('keeps a corner or a side of it under a policy that forbids `style` attributes', async () => {
    const policy = "style-src-elem 'unsafe-inline'; style-src-attr 'none'";
    for (const side of sides) expect(await shownAt(side, { policy })).toBe(side);
  });
});

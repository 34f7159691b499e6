/** @module-tag slow */
import { expect, test } from 'vitest';
import { findChromium, openBrowser } from '../support/site/browser.ts';
import { blockOf } from '../support/site/doc-blocks.ts';

const chromium = findChromium();

test.skipIf(chromium === undefined)(
  'the styles for unavailable assets apply to the element that the guide shows',
  async () => {
    const browser = await openBrowser(chromium ?? '');
    const page = await browser.open({ baseURL: 'http://localhost' });
    const styles = blockOf('guides/images', 'styles');
    await page.setContent(
      `<style>${styles}</style>${blockOf('guides/images', 'unavailable')}<img data-media-asset-unavailable="1">`,
    );
    const shown = await page.evaluate<string[]>(
      'Array.from(document.images, (image) => getComputedStyle(image).display)',
    );
    await browser.close();
    expect(shown).toEqual(['block', 'none']);
  },
);

/** @module-tag slow */
import { expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { blockOf } from '../support/site/doc-blocks.ts';

describeInBrowser('the styles for unavailable assets', () => {
  const browser = useBrowser();

  test('apply to the element that the guide shows', async () => {
    const page = await browser.open({ baseURL: 'http://localhost' });
    const styles = blockOf('guides/images', 'styles');
    const image = blockOf('guides/images', 'unavailable');
    await page.setContent(`<style>${styles}</style>${image}<img data-media-asset-unavailable="1">`);
    const shown = await page.evaluate<string[]>(
      'Array.from(document.images, (image) => getComputedStyle(image).display)',
    );
    expect(shown).toEqual(['block', 'none']);
  });
});

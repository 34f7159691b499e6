import type { Page } from 'playwright-core';

/** Interactive roles and pictures of a page that have no name for a screen reader. */
export async function unnamedControls(page: Page): Promise<string[]> {
  const tree = await page.locator('body').ariaSnapshot();
  const named = /- (link|button|searchbox|textbox|combobox|checkbox|radio|img)\b(?! ["/])/g;
  return [...tree.matchAll(named)].map(([, role]) => role ?? '');
}

/**
 * Texts of a page whose contrast with what they stand on is below WCAG's AA: 4.5, or 3 for large
 * ones. Backgrounds are plain colours, as the emulator's pages have them.
 */
export function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate(findLowContrast);
}

/** Runs in the page. */
const findLowContrast = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const over = ([r, g, b, a], ground) =>
    [r, g, b].map((value, index) => (value * a + ground[index] * (255 - a)) / 255);
  const groundOf = (element) => {
    if (element === null) return dark ? [18, 18, 18] : [255, 255, 255];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 255 ? own.slice(0, 3) : over(own, groundOf(element.parentElement));
  };
  const opacityOf = (element) =>
    element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);
  const problems = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim();
    if (text === '' || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ground = groundOf(element);
    const [r, g, b, a] = rgba(style.color);
    const ink = over([r, g, b, a * opacityOf(element)], ground);
    const [low, high] = [luminance(ink), luminance(ground)].sort((one, other) => one - other);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) problems.push(ratio.toFixed(2) + ' ' + text);
  }
  return problems;
})()`;

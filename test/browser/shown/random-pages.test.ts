/** @module-tag slow */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageElements } from '../../../src/scan/read/read-page.ts';
import { randomPage } from '../../scan/read/random-page.ts';
import { describeInBrowser, useBrowser } from '../../support/browser/browser-tests.ts';
import { rounds } from '../../support/process/rounds.ts';

const page = 'https://www.example.org/boats/';

/**
 * Chromium lets a frameset replace a page that begins with a template. In a template, it drops rows behind a
 * title or `noframes`, and keeps forms in tables. It replaces what is in a `selectedcontent`. The parser
 * takes CDATA behind HTML in a drawing for a comment. No site has any of these.
 */
const readDifferently =
  /<frameset|<!\[CDATA\[|<selectedcontent|<template[\s\S]*<(?:title|noframes|form)/i;

/** Code for Chromium: the values of `data-media-asset` on a page, sorted. */
const readMarks = `(html) => {
  const marks = [];
  const read = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const mark = element.getAttribute('data-media-asset');
      if (mark !== null) marks.push(mark);
      if (element.content instanceof DocumentFragment) read(element.content);
      const inside = element.localName === 'iframe' && element.getAttribute('srcdoc');
      if (inside) read(new DOMParser().parseFromString(inside, 'text/html'));
    }
  };
  read(new DOMParser().parseFromString(html, 'text/html'));
  return [...new Set(marks)].sort();
}`;

describeInBrowser('on random pages', () => {
  const browser = useBrowser();

  test('the scan finds the elements that Chromium keeps', { timeout: 600_000 }, async () => {
    const tab = await browser.open({ baseURL: page });
    let inSelects = 0;
    await fc.assert(
      fc.asyncProperty(randomPage, async (html) => {
        fc.pre(!readDifferently.test(html));
        const marks = await tab.evaluate(`(${readMarks})(${JSON.stringify(html)})`);
        const elements = pageElements({ html, page });
        const found = elements.map(({ element }) => element.properties.dataMediaAsset);
        const distinct = [...new Set(found.filter((mark) => mark !== undefined))].sort();
        const selects = html.match(/<select(?!e)/gi) ?? [];
        if (selects.length > 0) inSelects += distinct.length;
        // The tag of a `select` in another one is dropped, but it's read as one that isn't.
        if (selects.length > 1) expect(distinct).toEqual(expect.arrayContaining(marks as string[]));
        else expect(distinct).toEqual(marks);
      }),
      { numRuns: Number(process.env.SCAN_RUNS ?? rounds(1500)) },
    );
    expect(inSelects).toBeGreaterThan(0);
  });
});

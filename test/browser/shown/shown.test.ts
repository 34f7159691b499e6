/** @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../../support/browser/browser-tests.ts';
import { cssWays, encodedCss, unfetchedCss } from './css-ways.ts';
import {
  countedWays,
  htmlWays,
  placeWays,
  selectWays,
  unshownWays,
  warnedWays,
} from './html-ways.ts';
import { judgeWays, type Verdict } from './judge-ways.ts';
import { animatedWays, drawnWays, svgWays } from './svg-ways.ts';
import type { Way } from './way.ts';

/** A script that hides the URL from the scan. */
const planted: Way = [
  'a planted miss',
  '<script>new Image().src = "{doubled}".replace("--", "-")</script>',
];

const shown = [...htmlWays, ...placeWays, ...selectWays, ...cssWays, ...svgWays, ...drawnWays];
const warned = [...warnedWays, ...encodedCss, ...animatedWays];
const counted = [...countedWays, ...unfetchedCss];
const ways = [...shown, ...warned, ...counted, ...unshownWays, planted];

describeInBrowser('Chromium is the judge of what a page shows:', () => {
  const browser = useBrowser();
  let verdicts: Map<string, Verdict>;

  beforeAll(async () => {
    verdicts = new Map((await judgeWays(browser, ways)).map((one) => [one.name, one]));
    // Some of the files that the pages name are missing.
    browser.problems();
  });

  const namesOf = (is: (verdict: Verdict) => boolean) =>
    [...verdicts.values()].filter(is).map(({ name }) => name);

  test('nothing that it loads is neither counted nor warned about, except a planted miss', () => {
    expect(verdicts.size).toBe(ways.length);
    expect(namesOf(({ loaded }) => loaded).length).toBeGreaterThan(200);
    expect(namesOf(({ loaded, counted, warned }) => loaded && !counted && !warned)).toEqual([
      'a planted miss',
    ]);
  });

  test('what is counted, though it never loads it, is for other programs or after a click', () => {
    expect(namesOf(({ loaded, counted }) => counted && !loaded).sort()).toEqual(
      counted.map(([name]) => name).sort(),
    );
  });

  describe.each([
    ['it loads, and the scan counts,', shown, { loaded: true, counted: true }],
    ['it loads, and the scan warns about,', warned, { loaded: true, counted: false, warned: true }],
    ['it leaves alone, and the scan too,', unshownWays, { loaded: false, counted: false }],
  ])('%s', (_, group, expected) => {
    test.each(group.map(([name]) => name))('%s', (name) => {
      expect(verdicts.get(name)).toMatchObject(expected);
    });
  });
});

import { describe, expect, test } from 'vitest';
import {
  checkUnavailable,
  createUnavailableAssets,
} from '../../../src/astro/build/unavailable-assets.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import { serviceError } from '../../../src/service/service-error.ts';

function refusal(code: 'asset-unknown' | 'asset-withdrawn', status: number) {
  const details = { call: 'the download', status, answer: '' };
  const cause = serviceError('request-refused', details, { status, effect: 'none' });
  return mediaAssetError(code, { assets: [] }, { cause });
}

const unknown = refusal('asset-unknown', 404);
const withdrawn = refusal('asset-withdrawn', 410);

describe('refused assets', () => {
  test("aren't an error if there are none", () => {
    const unavailable = createUnavailableAssets();
    expect(unavailable.toErrors()).toEqual([]);
    expect(unavailable.takeFindings()).toEqual([]);
  });

  test('become one error that names each with its status and all of its pages', () => {
    const unavailable = createUnavailableAssets();
    unavailable.add({ id: 12, page: '/quay/' }, withdrawn);
    unavailable.add({ id: 4711, page: '/quay/' }, withdrawn);
    unavailable.add({ id: 4711, page: '/' }, withdrawn);
    unavailable.add({ id: 4711, page: '/quay/' }, withdrawn);
    const error = unavailable.toErrors()[0];
    expect(error?.code).toBe('asset-withdrawn');
    expect(error?.message.split('\n').slice(1)).toEqual([
      '  - asset 12 (410) on /quay/',
      '  - asset 4711 (410) on /, /quay/',
    ]);
  });

  test('name all call sites of a page in order', () => {
    const unavailable = createUnavailableAssets();
    for (const line of [10, 8, 10]) {
      const place = { file: 'src/pages/quay.astro', line, column: 3 };
      unavailable.add({ id: 4711, page: '/quay/', place }, withdrawn);
    }
    expect(unavailable.toErrors()[0]?.message).toContain(
      'on /quay/ (src/pages/quay.astro:8:3, src/pages/quay.astro:10:3).',
    );
  });

  test('name a call site once for all of its pages', () => {
    const unavailable = createUnavailableAssets();
    const place = { file: 'src/layouts/Base.astro', line: 12, column: 3 };
    for (const page of ['/quay/', '/']) unavailable.add({ id: 4711, page, place }, withdrawn);
    unavailable.add({ id: 4711, page: '/' });
    unavailable.add({ id: 4711, page: '/rope/' });
    expect(unavailable.toErrors()[0]?.message).toContain(
      'asset 4711 (410) on /, /quay/ (src/layouts/Base.astro:12:3), /rope/.',
    );
  });

  test('in Markdown keep their reason and name their lines once a page shows them', () => {
    const unavailable = createUnavailableAssets();
    for (const line of [12, 5])
      unavailable.explain(
        { id: 4711, place: { file: 'src/content/blog/ferry.md', line } },
        unknown,
      );
    const draft = { file: 'src/content/blog/draft.md', line: 3 };
    unavailable.explain({ id: 12, place: draft }, withdrawn);
    const place = { file: 'src/pages/quay.astro', line: 8, column: 3 };
    unavailable.add({ id: 4711, page: '/quay/', place }, unknown);
    for (const page of ['/blog/ferry/', '/quay/']) unavailable.add({ id: 4711, page });
    unavailable.add({ id: 4711, caller: 'getMediaFile()' });
    expect(unavailable.toErrors()[0]?.code).toBe('asset-unknown');
    expect(unavailable.toErrors()[0]?.message).toContain(
      'asset 4711 (404) on /blog/ferry/ (src/content/blog/ferry.md:5, src/content/blog/ferry.md:12), /quay/ (src/pages/quay.astro:8:3), getMediaFile().',
    );
    expect(unavailable.toErrors()[0]?.message).not.toContain('asset 12');
  });

  test('keep their status, even if a cached page names them first', () => {
    const unavailable = createUnavailableAssets();
    unavailable.add({ id: 4711, page: '/old/' });
    unavailable.add({ id: 4711, page: '/' }, unknown);
    expect(unavailable.toErrors()[0]?.message).toContain('asset 4711 (404) on /, /old/');
  });

  test.each([
    ['asset-unknown', [unknown, unknown]],
    ['asset-withdrawn', [unknown, withdrawn]],
    ['asset-withdrawn', [undefined, unknown]],
  ])('are %s together', (code, errors) => {
    const unavailable = createUnavailableAssets();
    for (const [index, error] of errors.entries())
      unavailable.add({ id: index + 1, page: '/' }, error);
    expect(unavailable.toErrors()[0]?.code).toBe(code);
  });

  test('become findings, each with its own code', () => {
    const unavailable = createUnavailableAssets();
    unavailable.add({ id: 1, page: '/' }, unknown);
    unavailable.add({ id: 2, page: '/quay/' }, withdrawn);
    expect(unavailable.takeFindings()).toMatchObject([
      { code: 'asset-unknown', severity: 'warning', page: '/', asset: 1 },
      { code: 'asset-withdrawn', severity: 'warning', page: '/quay/', asset: 2 },
    ]);
  });
});

describe('a build with refused and forbidden assets', () => {
  const forbidden = mediaAssetError('asset-forbidden', { assets: [] });

  /** How the build ends, and what it warns of. */
  function check(options: { unavailable: string; forbidden: string }) {
    const found = createUnavailableAssets();
    found.add({ id: 1, page: '/' }, unknown);
    found.add({ id: 2, page: '/' }, forbidden);
    const logged: string[] = [];
    const log = (text: string) => void logged.push(/\[([a-z-]+)\]$/.exec(text)?.[1] ?? text);
    const site = {
      ...{ unavailable: found, forbidden: options.forbidden, options },
      logger: { warn: log, error: log },
    } as unknown as Parameters<typeof checkUnavailable>[0];
    try {
      checkUnavailable(site);
      return { end: 'done', logged };
    } catch (thrown) {
      return { end: (thrown as { code: string }).code, logged };
    }
  }

  test.each([
    ['warn', 'hide', 'done', ['asset-unknown', 'asset-forbidden']],
    ['fail', 'hide', 'asset-unknown', []],
    ['warn', 'fail', 'asset-forbidden', []],
    ['fail', 'fail', 'asset-unknown', ['asset-forbidden']],
  ])('with unavailable %s and forbidden %s ends as %s', (unavailable, forbidden, end, logged) => {
    expect(check({ unavailable, forbidden })).toEqual({ end, logged });
  });
});

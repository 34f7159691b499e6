import { expect, test } from 'vitest';
import type { SiteBuild } from '../../../src/astro/build/build-notes.ts';
import { finishRenditions } from '../../../src/astro/build/publish-renditions.ts';
import { createUnavailableAssets } from '../../../src/astro/build/unavailable-assets.ts';
import type { Subject } from '../../../src/errors/place.ts';

/** The warnings at the end of a build whose Markdown has images that no page shows. */
async function warningsOf(
  places: readonly Subject[],
  unscanned: SiteBuild['unscanned'],
): Promise<string[]> {
  const warnings: string[] = [];
  await finishRenditions({
    ...{ unscanned, published: new Map(), unavailable: createUnavailableAssets() },
    ...{ options: { unavailable: 'fail' }, forbidden: 'fail' },
    checks: { done: async () => {} },
    markdown: { throwIfFailed() {}, unpublished: () => places },
    images: { publisher: { tidy: async () => {} } },
    logger: { warn: (text: string) => void warnings.push(text) },
  } as unknown as SiteBuild);
  return warnings;
}

const image = { place: { file: 'src/notes/quay.md', line: 3, column: 1 } };
const none = { routes: [], islands: [] };

test.each<[SiteBuild['unscanned'], string]>([
  [{ ...none, routes: ['/notes/[slug]'] }, 'an on-demand route (/notes/[slug])'],
  [{ ...none, islands: ['/tide/'] }, 'a server island (on /tide/)'],
])('a build with %j warns of Markdown whose images are not published', async (unscanned, where) => {
  const [warning, ...others] = await warningsOf([image], unscanned);
  expect(others).toEqual([]);
  expect(warning).toContain('src/notes/quay.md:3');
  expect(warning).toContain(`They are missing if ${where} shows this Markdown.`);
});

test('a build warns of nothing if all its pages are known, or all images are published', async () => {
  expect(await warningsOf([image], none)).toEqual([]);
  expect(await warningsOf([], { routes: ['/notes/[slug]'], islands: ['/tide/'] })).toEqual([]);
});

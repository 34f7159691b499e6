/**
 * `call-sites.test.ts` shows places in errors on each major:
 * @module-tag any-astro
 */
import { beforeEach, expect, test } from 'vitest';
import { inspectCache } from '../../support/images/inspect-cache.ts';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { onCloudflare } from '../../support/site/astro-major.ts';
import { outputOf, usagePosts, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('main-job');

beforeEach(() => setup.restore());

/**
 * Checks that the output contains nothing refused, and that the output, state and cache contain
 * nothing incomplete. Downloads that an ended process had in progress may remain in the cache's
 * folder `tmp`. Nothing reads them, and they are deleted an hour later.
 */
async function expectNothingHalf(): Promise<void> {
  expect(await findInFiles(setup.site.dist, 'Disguised')).toEqual([]);
  expect(await setup.site.files('{dist,.media-asset}/**/{.,}*.{part,tmp,lock}')).toEqual([]);
  expect(await setup.site.files('node_modules/.astro/**/*.{part,tmp,lock}')).toEqual([]);
  expect(inspectCache(setup.site.path('node_modules/.astro/media-asset')).broken).toEqual([]);
}

test('a mistake in a prop names the page, the place, the ID and the valid props', async () => {
  const element = '<MediaAsset id={4711} alt="" corp={{ x: 0, y: 0, width: 5, height: 5 }} />';
  await setup.site.edit('src/pages/quay.astro', '<h1>', `${element}<h1>`);
  const output = await outputOf(setup.build(), 1);
  for (const part of [
    '[prop-unknown]',
    // Astro shows the stack of errors in Node only.
    ...(onCloudflare ? [] : ['npx --no media-asset explain prop-unknown']),
    'Unknown prop `corp` on <MediaAsset id={4711}> on /quay/ (src/pages/quay.astro:8:5).',
    'Valid props: id, alt, crop,',
  ])
    expect(output).toContain(part);
  expect(usagePosts(setup.requests())).toEqual([]);
  await expectNothingHalf();
});

test('without a site, the build says what to add', { tags: ['slow'] }, async () => {
  await setup.site.edit('astro.config.mjs', "site: 'https://harbour.example',", '');
  const output = await outputOf(setup.build(), 1);
  for (const part of ['site-missing', "site: 'https://www.example.org'"])
    expect(output).toContain(part);
});

test('a second mediaAsset() is refused', { tags: ['slow'] }, async () => {
  await setup.site.edit('astro.config.mjs', 'integrations: [', 'integrations: [mediaAsset(), ');
  const output = await outputOf(setup.build(), 1);
  expect(output).toContain('`integrations` has mediaAsset() more than once');
  expect(usagePosts(setup.requests())).toEqual([]);
});

test('a service that returns something else than an image fails the build, and leaves nothing behind', {
  tags: ['slow'],
}, async () => {
  const ship = await setup.assetBytes('ship.jpg');
  await setup.replaceAsset('ship.jpg', Buffer.from('%PDF-1.7 Disguised'));
  expect((await setup.build()).output).toContain('download-not-a-picture');
  await setup.replaceAsset('ship.jpg', ship);
  // A file that one build left behind would fail the next build, and the last one.
  for (const [code, fault] of [
    ['answer-html', { kind: 'status', status: 200, body: 'html' }],
    ['download-corrupt', { kind: 'truncate' }],
  ] as const) {
    await setup.emulator.setFaults([{ call: 'original', ...fault }]);
    const output = await outputOf(setup.build(), 1);
    expect(output).toContain(code);
    expect(output).toMatch(/471\d/);
    await expectNothingHalf();
  }
  expect(usagePosts(setup.requests())).toEqual([]);
  await setup.emulator.clearFaults();
  await outputOf(setup.build());
});

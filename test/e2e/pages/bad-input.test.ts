import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { startInterceptingProxy } from '../../support/service/intercepting-proxy.ts';
import { usagePosts, useSite } from '../../support/site/site-with-service.ts';

/** An asset, 4715, whose record says it's a PDF. */
const disguised = Buffer.from('<!doctype html><script>alert("Disguised")</script>');

const setup = useSite('main-job', { files: { 'vessel-report.pdf': disguised } });

beforeEach(() => setup.restore());

/** Builds the site with one more element on its quay page. The build must fail and send nothing. */
async function buildWith(element: string) {
  await setup.site.edit('src/pages/quay.astro', '{ MediaAsset }', '{ MediaAsset, MediaFile }');
  await setup.site.edit('src/pages/quay.astro', '<h1>', `${element}<h1>`);
  const run = await setup.build();
  expect(run.exitCode).toBe(1);
  expect(usagePosts(setup.requests())).toEqual([]);
  expect(setup.pairs()).toEqual([]);
  await expectNothingHalf();
  return run.output;
}

/**
 * Checks that the output contains nothing refused, and that the output, state and cache contain
 * nothing incomplete. Downloads that an ended process had in progress may remain in the cache's
 * folder `tmp`. Nothing reads them, and they are deleted an hour later.
 */
async function expectNothingHalf(): Promise<void> {
  expect(await findInFiles(setup.site.dist, 'Disguised')).toEqual([]);
  expect(await setup.site.files('{dist,.media-asset}/**/{*.part,*.tmp,*.lock}')).toEqual([]);
  expect(await setup.site.files('node_modules/.astro/**/*.{part,tmp,lock}')).toEqual([]);
  const { stdout } = await setup.command('cache', 'verify', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ broken: [] });
}

const wrongProps: [code: string, element: string, parts: string[]][] = [
  ['prop-invalid', '<MediaAsset id={4711} alt="" width={0} />', ['/quay/', '4711', 'width=0']],
  [
    'prop-unknown',
    '<MediaAsset id={4711} alt="" corp={{ x: 0, y: 0, width: 5, height: 5 }} />',
    [
      'Unknown prop `corp` on <MediaAsset id={4711}> on /quay/ (src/pages/quay.astro:8:5).',
      'Valid props: id, alt, crop,',
    ],
  ],
  ['alt-missing', '<MediaAsset id={4711} />', ['/quay/', '4711', 'alt=""']],
  [
    'crop-outside',
    crop('{ x: 600, y: 0, width: 100, height: 100 }'),
    ['/quay/', '4711', '640 × 480'],
  ],
  ['asset-unknown', '<MediaAsset id={999} alt="" />', ['asset 999 (404) on /quay/']],
  [
    'file-guarded',
    '<MediaFile id={4715} />',
    ['/quay/', 'asset 4715', 'an HTML page, judging by its bytes'],
  ],
];

// Errors of each layer. `test/assets/request/parse-request.test.ts` has all wrong values.
describe('a wrong prop names the page, the ID, the value and the expected values', () => {
  // Astro handles all errors of components alike, so one is enough for each major of Astro.
  test.each(wrongProps.slice(0, 1))('%s: %s', expectRefused);
  test.each(wrongProps.slice(1))('%s: %s', { tags: ['any-astro', 'slow'] }, expectRefused);
});

async function expectRefused(code: string, element: string, parts: string[]): Promise<void> {
  const output = await buildWith(element);
  for (const part of [`[${code}]`, `docs/reference/errors.md#${code}`, ...parts])
    expect(output).toContain(part);
}

function crop(rectangle: string): string {
  return `<MediaAsset id={4711} alt="" crop={${rectangle}} />`;
}

describe('configuration', () => {
  test('without a site, the build says what to add', { tags: ['slow'] }, async () => {
    await setup.site.edit('astro.config.mjs', "site: 'https://harbour.example',", '');
    const { exitCode, output } = await setup.build();
    expect(exitCode).toBe(1);
    for (const part of ['site-missing', "site: 'https://www.example.org'"])
      expect(output).toContain(part);
  });

  test('without a service, a production build names the missing variables', async () => {
    const { exitCode, output } = await setup.site.build({ VERCEL_ENV: 'production' });
    expect(exitCode).toBe(1);
    for (const part of [
      'service-not-configured',
      'MEDIA_ASSET_BASE_URL',
      'MEDIA_ASSET_CLIENT_SECRET',
    ]) {
      expect(output).toContain(part);
    }
  });

  test('all invalid options are reported at once', { tags: ['slow'] }, async () => {
    await setup.site.edit(
      'astro.config.mjs',
      'mediaAssets()',
      "mediaAssets({ delivry: 'static', crops: 'here', report: { when: 'sometimes' } })",
    );
    const { exitCode, output } = await setup.build();
    expect(exitCode).toBe(1);
    for (const part of ['options-invalid', 'Valid options: service, ', 'crops:', 'report.when:']) {
      expect(output).toContain(part);
    }
  });

  test('wrong credentials are reported as wrong', { tags: ['any-astro', 'slow'] }, async () => {
    const { exitCode, output } = await setup.build({ MEDIA_ASSET_PASSWORD: 'wrong' });
    expect(exitCode).toBe(1);
    expect(output).toContain('credentials-refused');
    expect(usagePosts(setup.requests())).toEqual([]);
  });
});

describe('a service that returns something else', { tags: ['any-astro', 'slow'] }, () => {
  test('instead of an image fails the build and leaves nothing behind', async () => {
    const signIn = { type: 'text/html', body: '<!doctype html><title>Sign in</title>' };
    const cutShort = { type: 'image/png', body: 'PNG…', length: 9000 };
    const document = { type: 'image/png', body: '%PDF-1.7 nothing' };
    // A file that one build left behind would fail the next build, and the last one.
    for (const [code, answer] of [
      ['answer-html', signIn],
      ['download-corrupt', cutShort],
      ['download-not-a-picture', document],
    ] as const) {
      const proxy = await startInterceptingProxy(setup.emulator.url, /\/4713\/download\//, answer);
      try {
        const { exitCode, output } = await setup.build({ MEDIA_ASSET_BASE_URL: proxy.url });
        expect(exitCode, code).toBe(1);
        expect(output).toContain(code);
        expect(output).toMatch(/4713/);
        expect(usagePosts(setup.requests())).toEqual([]);
        await expectNothingHalf();
      } finally {
        await proxy.close();
      }
    }
    expect((await setup.build()).exitCode).toBe(0);
  });

  test('a sign-in page as the answer to a usage is an error, and the next build reports', async () => {
    const answer = { type: 'text/html', body: '<html><title>Maintenance</title></html>' };
    const proxy = await startInterceptingProxy(setup.emulator.url, /\/usages$/, answer);
    const base = { MEDIA_ASSET_BASE_URL: proxy.url };
    try {
      const { exitCode, output } = await setup.build(base);
      expect(exitCode).toBe(1);
      expect(output).toContain('answer-html');
      expect(setup.pairs()).toEqual([]);

      proxy.forwardAll();
      await setup.build(base);
      expect(setup.pairs()).toHaveLength(5);
    } finally {
      await proxy.close();
    }
  });
});

test('a broken ledger is never overwritten, and nothing is sent', {
  tags: ['any-astro', 'slow'],
}, async () => {
  await setup.build();
  const listed = setup.pairs();
  setup.requests();
  const [ledger = ''] = await setup.site.files('.media-asset/ledger-*.json');
  const broken = `${(await setup.site.read(ledger)).slice(0, 100)}`;
  await writeFile(setup.site.path(ledger), broken);
  await setup.site.remove('src/pages/quay.astro');

  const { exitCode, output } = await setup.build();

  expect(exitCode).toBe(1);
  expect(output).toContain('ledger-broken');
  expect(await setup.site.read(ledger)).toBe(broken);
  expect(usagePosts(setup.requests())).toEqual([]);
  expect(setup.pairs()).toEqual(listed);
});

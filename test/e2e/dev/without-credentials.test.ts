/** @module-tag slow */
/** @module-tag any-astro */
import { beforeAll, expect, test } from 'vitest';
import { startDevServer } from '../../support/site/dev-server.ts';
import { run, type Variables } from '../../support/site/site.ts';
import { astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

/** A pull request from a fork on GitHub: secrets are empty strings. */
const pullRequest = {
  GITHUB_ACTIONS: 'true',
  GITHUB_EVENT_NAME: 'pull_request',
  MEDIA_ASSET_BASE_URL: '',
  MEDIA_ASSET_CLIENT_ID: '',
  MEDIA_ASSET_CLIENT_SECRET: '',
  MEDIA_ASSET_REFRESH_TOKEN: '',
};

const placeholder = 'src="data:image/svg+xml,';
const kept = '{.media-asset/ledger*,node_modules/.astro/media-asset/v3/**}';

const setup = useSite('markdown');

// One site. Its builds depend on each other.
beforeAll(async () => {
  // Asset 4715.
  await setup.replaceAsset('report.pdf', Buffer.from('%PDF-1.7\n% a report\n%%EOF\n'));
});

const astro = (words: string[], environment: Variables = {}) =>
  run(setup.site.dir, setup.site.astro, words, environment);

/** The project's files by their names, as text. */
async function filesOf(pattern: string): Promise<Record<string, string>> {
  const names = await setup.site.files(pattern);
  const texts = await Promise.all(names.map((name) => setup.site.read(name)));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

test('`astro sync` and `getViteConfig` work, with empty collections', async () => {
  const output = await outputOf(astro(['sync']));
  expect(output).toContain('The collection pictures is empty, because there are no credentials');

  await setup.site.write(
    'vite.mjs',
    `import { getViteConfig } from 'astro/config';
    const { plugins } = await getViteConfig({})({ mode: 'test', command: 'serve' });
    console.log(plugins.flat().some((plugin) => plugin?.name === 'astro-media-asset'));
    process.exit();`,
  );
  const vite = await run(setup.site.dir, setup.site.path('vite.mjs'), [], {});
  expect(vite.output).toContain('true');
  await setup.site.remove('vite.mjs');
});

test('a build for a pull request shows placeholders, and says so', async () => {
  const output = await outputOf(setup.site.build(pullRequest));
  expect(output).toMatch(/service +0 checks, 0 downloads, 5 assets missing/);
  expect(output).toMatch(/usages +not planned: without credentials/);
  expect(output).toMatch(/::warning.*service-not-configured/);
  const rope = await setup.site.read('dist/rope/index.html');
  expect(rope).toContain(`<img data-media-asset="4712"`);
  expect(rope).toContain(placeholder);
  expect(rope).not.toContain('/_astro/media-asset/');
  expect(setup.requests()).toEqual([]);
});

test('no other command reports its pages', async () => {
  const { exitCode, stderr } = await setup.command('report', 'dist', '--yes');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('build-unfinished');
  expect(setup.pairs()).toEqual([]);
});

test('the next build with credentials has the right images, and so do later builds without', async () => {
  const { exitCode } = await setup.build();
  expect(exitCode).toBe(0);
  const pages = await filesOf('dist/**/*.html');
  const files = await setup.site.files('dist/_astro/media-asset/**');
  expect(Object.values(pages).join()).not.toContain(placeholder);
  expect(files.length).toBeGreaterThan(10);
  const pairs = setup.pairs();
  expect(pairs).toContain('4712 https://harbour.example/rope/');
  const before = await filesOf(kept);
  setup.requests();

  const again = await setup.site.build(pullRequest);
  expect(again.output).toMatch(
    /The collection pictures is stale: .*, because there are no credentials/,
  );
  expect(again.output).not.toMatch(/assets? missing/);
  expect(await filesOf('dist/**/*.html')).toEqual(pages);
  expect(await setup.site.files('dist/_astro/media-asset/**')).toEqual(files);
  expect(await filesOf(kept)).toEqual(before);

  // Pages with assets that aren't cached.
  const [note, page] = ['src/content/notes/new.md', 'src/pages/new.astro'];
  await setup.site.write(note, '---\ntitle: New\n---\n\n![New](media:4716?width=50)\n');
  await setup.site.write(page, astroPage('<MediaAsset id={4716} alt="New" width={50} />'));
  const lacking = await setup.site.build({ MEDIA_ASSET_BASE_URL: setup.emulator.url });
  expect(lacking.output).toMatch(/, 1 asset missing/);
  const shown = async () => Object.values(await filesOf('dist/{new,notes/new}/index.html'));
  for (const html of await shown()) expect(html).toContain(placeholder);
  expect(setup.requests()).toEqual([]);

  await setup.replaceAsset('ship-2.jpg', await setup.assetBytes('ship.jpg'));
  expect((await setup.build()).exitCode).toBe(0);
  for (const html of await shown()) expect(html).toContain('/_astro/media-asset/4716-');
  const { 'dist/gallery/index.html': _list, ...others } = pages;
  expect(await filesOf('dist/**/*.html')).toMatchObject(others);
  expect(setup.pairs()).toEqual([
    ...pairs,
    '4716 https://harbour.example/gallery/',
    '4716 https://harbour.example/new/',
    '4716 https://harbour.example/notes/new/',
  ]);
});

test('`astro dev` shows cached images and placeholders, with one warning', async () => {
  const image = '<MediaAsset id={4799} alt="New" width={50} />';
  await setup.site.write(
    'src/pages/new.astro',
    astroPage(`${image}<MediaFile id={4798} name="Report" />`),
  );
  const dev = await startDevServer({ site: setup.site, emulator: { env: {} } });
  try {
    const page = async (path: string) => (await fetch(`${dev.url}${path}`)).text();
    expect(await page('/new')).toContain(placeholder);
    expect(await page('/new')).toContain('data-media-asset-unavailable="4798"');
    const url = /src="(\/_astro\/media-asset\/[^"]+)"/.exec(await page('/gallery'))?.[1];
    expect((await fetch(`${dev.url}${url}`)).headers.get('content-type')).toMatch(/^image/);
    expect(dev.output().match(/service-not-configured/g)).toHaveLength(1);
  } finally {
    await dev.stop();
  }
});

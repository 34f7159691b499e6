import { beforeAll, expect, test } from 'vitest';
import { findRenditions } from '../../../src/assets/formats/rendition-url.ts';
import { drawMp4, drawPdf, drawSound } from '../../support/images/test-files.ts';
import { drawTestImage } from '../../support/images/test-images.ts';
import { startDevServer } from '../../support/site/dev-server.ts';
import { blockOf, blocksRunBy, type DocBlock } from '../../support/site/doc-blocks.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

/**
 * Builds the code blocks of the guides as one site, with a service that has their assets.
 * @module-tag any-astro
 * @module-tag slow
 */

const siteBlocks = [...blocksRunBy('site', 'guides/'), ...blocksRunBy('site', 'reference/')];
const commandBlocks = blocksRunBy('command', 'guides/');
const pageBlocks = siteBlocks.filter(({ file }) => file === undefined);
const fileBlocks = siteBlocks.filter(({ file }) => file !== undefined);
const nameOf = ({ page, line }: DocBlock) => `${page}/${line}`;

const setup = useSite('guides', {
  files: {
    'uploads/bell.wav': drawSound(),
    'uploads/film.mp4': drawMp4({ width: 640, height: 360 }),
    'uploads/report.pdf': drawPdf(),
  },
});
let output: string;

beforeAll(async () => {
  // The first example of each guide needs an image of at least this size.
  const harbour = { path: 'harbour.jpg', width: 1200, height: 800 };
  await setup.replaceAsset(harbour.path, await drawTestImage(harbour));
  for (const block of siteBlocks) await setup.site.write(...siteFile(block));
  await setup.site.write(
    'src/content/blog/tide.md',
    '---\ntitle: The tide\n---\n\n![The tide](media:4711) of [today](/tide/)\n',
  );
  const presets = blocksRunBy('options', 'guides/images').filter(({ text }) =>
    /presets:/.test(text),
  );
  for (const { text } of presets)
    await setup.site.edit('astro.config.mjs', 'mediaAsset()', text.trim());
  const record = "record: { fields: ['name'], read: ({ name }) => ({ alt: name }) },";
  await setup.site.edit('astro.config.mjs', 'mediaAsset({', `mediaAsset({ ${record}`);
  const configs = (await setup.site.files('src/collections/**/*.ts')).map((path, at) => ({
    path: path.replace('src/', './'),
    name: `config${at}`,
  }));
  await setup.site.write(
    'src/content.config.ts',
    `${configs.map(({ path, name }) => `import * as ${name} from '${path}';`).join('\n')}
export const collections = { ${configs.map(({ name }) => `...${name}.collections`).join(', ')} };
`,
  );
  output = await outputOf(setup.build());
});

test('the examples of the guides build without a warning', () => {
  expect(output).not.toContain('[WARN] [media-asset]');
});

test.each(pageBlocks.map((block) => [nameOf(block), block.text]))(
  '%s shows its assets',
  async (name, text) => {
    const page = await setup.site.read(`dist/${name}/index.html`);
    expect(publishedIn(page)).toEqual(expect.arrayContaining(idsIn(text)));
  },
);

test('examples with a file name publish their assets', async () => {
  const built = await setup.site.files('dist/{!(guides|reference)/**/*.html,*.css,*.xml}');
  const texts = await Promise.all(built.map((file) => setup.site.read(file)));
  const ids = idsIn(fileBlocks.map(({ text }) => text).join());
  expect(ids).not.toEqual([]);
  expect(publishedIn(texts.join())).toEqual(expect.arrayContaining(ids));
});

test('a feed with whole posts has absolute image URLs alone', async () => {
  const feed = await setup.site.read('dist/posts.xml');
  const [image = ''] = feed.match(/<img [^>]*>/) ?? [];
  const urls = findRenditions(image).length;
  expect(urls).toBeGreaterThan(2);
  expect(feed).toContain('<a href="https://www.example.org/tide/">');
  expect(image.match(/https:\/\/www\.example\.org\/_astro\/media-asset\//g)).toHaveLength(urls);
});

test('a link of `<MediaFile>` is rendered as the guide shows it', async () => {
  const link = blockOf('guides/files-and-video', 'link');
  const [page] = pageBlocks.filter(({ page }) => page === 'guides/files-and-video').map(nameOf);
  const html = await setup.site.read(`dist/${page}/index.html`);
  expect(attributesOf(/<a [^>]*>/.exec(html)?.[0])).toEqual(
    attributesOf(/<a [^>]*>/.exec(link)?.[0]),
  );
});

test.each(commandBlocks.map((block) => [nameOf(block), block.text]))(
  'the commands of %s work in the built site',
  async (_, text) => {
    const library = JSON.parse((await setup.command('folders', '--json')).stdout);
    await setup.site.write('src/assets/quay.jpg', 'a quay');
    await setup.site.write('src/assets/ferry.jpg', 'a ferry');
    for (const line of text.trim().split('\n')) {
      if (line === 'npx astro dev') {
        const server = await startDevServer(setup);
        expect((await fetch(`${server.url}/${nameOf(pageBlocks[0] as DocBlock)}`)).ok).toBe(true);
        await server.stop();
        continue;
      }
      const [npx, program, ...words] =
        line.replace('npx --no ', 'npx ').match(/"[^"]*"|\S+/g) ?? [];
      expect([npx, program]).toEqual(['npx', 'media-asset']);
      if (words[0] === 'emulator') continue;
      const inFolder = words.map((word) =>
        word === '12' ? String(library.folders[0].id) : word.replaceAll('"', ''),
      );
      // A reader confirms it in the terminal.
      await outputOf(setup.command(...inFolder));
    }
  },
);

function siteFile(block: DocBlock): [file: string, text: string] {
  const { language, file, text } = block;
  const name = nameOf(block);
  // Each page has its own content collections.
  if (file === 'src/content.config.ts') return [`src/collections/${name}.ts`, text];
  if (file !== undefined) return [file, text];
  const hasImports = language !== 'astro' || text.startsWith('---');
  const imports = `---\nimport { MediaAsset, MediaFile, MediaVideo } from 'astro-media-asset/components';\n---\n`;
  return [`src/pages/${name}.${language}`, hasImports ? text : imports + text];
}

/** The assets in an example. */
function idsIn(text: string): number[] {
  return Array.from(text.matchAll(/\b471\d\b/g), ([id]) => Number(id));
}

function publishedIn(text: string): number[] {
  return findRenditions(text).map(({ id }) => id);
}

/** The attributes of a tag, with the hash in a file's URL replaced by an ellipsis. */
function attributesOf(tag = ''): string[] {
  return Array.from(tag.matchAll(/[\w-]+="[^"]*"/g), ([attribute]) =>
    attribute.replace(/(4717-).*(-file)/, '$1…$2'),
  );
}

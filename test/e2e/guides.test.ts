import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRenditions } from '../../src/assets/formats/rendition-url.ts';
import { drawMp4, drawPdf, drawSound } from '../support/images/test-files.ts';
import { drawTestPicture } from '../support/images/test-images.ts';
import { createBuiltFolder } from '../support/site/built-folder.ts';
import type { Run } from '../support/site/site.ts';
import { openSiteWithService, type SiteWithService } from '../support/site/site-with-service.ts';

/**
 * The code blocks of the guides, built as one site against a service with the assets that they name.
 * @module-tag any-astro
 * @module-tag slow
 */

interface Block {
  /** Its page and line: `guides/images/5`. */
  readonly name: string;
  readonly language: string;
  /** The site's file that a comment at its start names. Blocks without one are pages of their own. */
  readonly file: string | undefined;
  readonly text: string;
}

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const pages = await fastGlob('{guides,reference}/*.md', { cwd: docs });
const blocks = (await Promise.all(pages.sort().map(blocksOf))).flat();
const siteBlocks = blocks.filter(
  ({ language, file }) => ['astro', 'md', 'mdx'].includes(language) || file?.startsWith('src/'),
);
const [pageBlocks, fileBlocks] = [true, false].map((isPage) =>
  siteBlocks.filter(({ file }) => (file === undefined) === isPage),
) as [Block[], Block[]];

let setup: SiteWithService;
let run: Run;

beforeAll(async () => {
  const files = {
    'uploads/bell.wav': drawSound(),
    'uploads/film.mp4': drawMp4({ width: 640, height: 360 }),
    'uploads/report.pdf': drawPdf(),
  };
  setup = await openSiteWithService('guides', { files });
  // The first example of each guide works with an image of this size.
  const harbour = { path: 'harbour.jpg', width: 1200, height: 800 };
  await setup.replaceAsset(harbour.path, await drawTestPicture(harbour));
  for (const block of siteBlocks) await setup.site.write(...siteFile(block));
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
  run = await setup.build();
});

afterAll(() => setup.close());

test('the examples of the guides build without a warning', () => {
  expect(run.exitCode, run.output).toBe(0);
  expect(run.output).not.toContain('[WARN] [media-asset]');
});

test.each(pageBlocks)('$name shows its assets', async ({ name, text }) => {
  const page = await setup.site.read(`dist/${name}/index.html`);
  expect(publishedIn(page)).toEqual(expect.arrayContaining(idsIn(text)));
});

test('examples with a file name publish their assets', async () => {
  const output = await setup.site.files('dist/{!(guides|reference)/**/*.html,*.css,*.xml}');
  const texts = await Promise.all(output.map((file) => setup.site.read(file)));
  const ids = idsIn(fileBlocks.map(({ text }) => text).join());
  expect(ids).not.toEqual([]);
  expect(publishedIn(texts.join())).toEqual(expect.arrayContaining(ids));
});

test('the commands for other generators report what a page names', async () => {
  const own = blocks.filter(({ name }) => name.startsWith('guides/other-generators/'));
  const page = own.find(({ file }) => file === 'public/index.html')?.text ?? '';
  const commands = own.find(({ language }) => language === 'sh')?.text ?? '';
  const folder = await createBuiltFolder();
  await folder.write('public/index.html', page);
  expect(setup.pairs()).not.toContain('4711 https://www.example.org/');
  for (const command of commands.trim().split('\n')) {
    const [npx, program, ...words] = command.split(' ');
    expect([npx, program]).toEqual(['npx', 'media-asset']);
    const { exitCode, output } = await folder.command(words, setup.emulator.env);
    expect(exitCode, output).toBe(0);
  }
  expect(setup.pairs()).toContain('4711 https://www.example.org/');
  await folder.delete();
});

async function blocksOf(path: string): Promise<Block[]> {
  const page = await readFile(join(docs, path), 'utf8');
  return Array.from(
    page.matchAll(/^```(\w+)\n(.*?)^```$/gms),
    ({ 1: language = '', 2: code = '', index }) => {
      const line = page.slice(0, index).split('\n').length;
      const text = language === 'diff' ? code.replace(/^-.*\n|^[ +]/gm, '') : code;
      const file = /^(?:---\n)?(?:\/\/|#|<!--) (\S+\.\w+)(?: -->)?\n/.exec(text)?.[1];
      return { name: `${path.replace('.md', '')}/${line}`, language, file, text };
    },
  );
}

function siteFile({ name, language, file, text }: Block): [file: string, text: string] {
  // Each page has content collections of its own.
  if (file === 'src/content.config.ts') return [`src/collections/${name}.ts`, text];
  if (file !== undefined) return [file, text];
  const hasImports = language !== 'astro' || text.startsWith('---');
  const imports = `---\nimport { MediaAsset, MediaFile, MediaVideo } from 'astro-media-asset/components';\n---\n`;
  return [`src/pages/${name}.${language}`, hasImports ? text : imports + text];
}

/** The assets that an example names. */
function idsIn(text: string): number[] {
  return Array.from(text.matchAll(/\b471\d\b/g), ([id]) => Number(id));
}

function publishedIn(text: string): number[] {
  return findRenditions(text).map(({ id }) => id);
}

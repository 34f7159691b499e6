import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planImport, writeImport } from '../../../src/authoring/import/import-sources.ts';
import { listImages, projectImages } from '../../../src/authoring/import/local-images.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const images = [
  'src/assets/quay.jpg',
  'src/assets/old quay (1).png',
  'public/logo.png',
  'src/assets/kø-5%.png',
];

/** A project with files, and an Astro of that version. */
async function importInto(
  files: Readonly<Record<string, string>>,
  { astro = '7.0.0', width = 400 }: { astro?: string; width?: number } = {},
) {
  const root = await temporaryFolder('import');
  const all = {
    ...files,
    'node_modules/astro/package.json': JSON.stringify({ name: 'astro', version: astro }),
  };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  await drawTestImages([{ path: images[0] as string, width, height: 300 }], root);
  const project = await projectImages(root, images);
  const plan = await planImport(root, project);
  const ids = new Map(images.map((path, at) => [path, 4711 + at]));
  const { files: written } = await writeImport(plan, { ids, project });
  const left = plan.left.map(({ place, path = '', replacement, problem }) =>
    [`${place.file}:${place.line}`, replacement?.(ids.get(path) ?? '…') ?? problem].join(' '),
  );
  const read = (file: string) => readFile(join(root, file), 'utf8');
  return { root, plan, written, left, read };
}

describe('Markdown', () => {
  test.each([
    ['an image', '![A quay](../assets/quay.jpg)', '![A quay](media:4711)'],
    ['one with a title', "![A](/logo.png 'as ](/logo.png)')", "![A](media:4713 'as ](/logo.png)')"],
    ['one in a quote', '> ![A](/logo.png\n> "t")', '> ![A](media:4713\n> "t")'],
    ['one without a text', '![](../assets/quay.jpg)', '![](media:4711?decoration)'],
    ['one in brackets', '![A](<../assets/old quay (1).png>)', '![A](media:4712)'],
    ['one with escapes', '![A](../assets/old%20quay%20(1).png)', '![A](media:4712)'],
    ['one with a percent sign', '![A](../assets/kø-5%.png)', '![A](media:4714)'],
    ['one of `public`', '![A](/logo.png)', '![A](media:4713)'],
    ['one below `src`', '![A](~/assets/quay.jpg)', '![A](media:4711)'],
    ['several in a line', '![A](/logo.png) ![B](/logo.png)', '![A](media:4713) ![B](media:4713)'],
    ['one after code', '`![A](/logo.png)` ![A](/logo.png)', '`![A](/logo.png)` ![A](media:4713)'],
  ])('%s names the asset', async (_, before, after) => {
    const { read } = await importInto({ 'src/content/a.md': `${before}\n` });
    expect(await read('src/content/a.md')).toBe(`${after}\n`);
  });

  test.each([
    ['![A](https://a.example/quay.jpg)', ['![…](media:4711)']],
    ['![A](https://a.example/quays.jpg)', []],
    ['![A](../assets/other.jpg)', []],
    ['[a link](/logo.png)', ['![…](media:4713)']],
    ['![A][q]\n\n[q]: /logo.png\n', ['![…](media:4713)']],
    ['![A](/logo.png?a&amp;amp;b)\n', ['![…](media:4713)']],
    ['<p><img src="/logo.png"></p>\n', ['![…](media:4713)']],
    ['```md\n![A](/logo.png)\n```\n', ['![…](media:4713)']],
    ['---\nhero: "/logo.png"\n---\n', ['{ id: 4713 }']],
  ])('%s stays, and a person is told', async (text, replacements) => {
    const { left, written } = await importInto({ 'src/content/a.md': text });
    expect(written).toEqual([]);
    expect(left.map((one) => one.replace(/^\S+ /, ''))).toEqual(replacements);
  });

  test.each([
    [720, 'media:4711'],
    [1043, 'media:4711?width=1043'],
    [4000, 'media:4711?width=1280'],
  ])(
    'an image of %i px keeps the width that it had, if pages are that wide',
    async (width, url) => {
      const { read } = await importInto({ 'src/a.md': '![A](assets/quay.jpg)\n' }, { width });
      expect(await read('src/a.md')).toBe(`![A](${url})\n`);
    },
  );

  test('an image that MDX imports is left to a person', async () => {
    const text =
      "import { Image } from 'astro:assets';\nimport quay from '../assets/quay.jpg';\n\n<Image src={quay} alt=\"\" />\n";
    const { left, plan } = await importInto({ 'src/content/a.mdx': text });
    expect(left).toEqual(['src/content/a.mdx:2 ![…](media:4711)']);
    expect(plan.names.map(({ path }) => path)).toEqual(['src/assets/quay.jpg']);
  });
});

describe('the images in MDX', () => {
  test.each([
    ['src/a.astro', '<Content components={{ ...base, img: Photo }} />'],
    ['src/mdx.ts', 'export const components = {\n  a: Link,\n  img: Photo,\n};'],
    ['src/mdx.tsx', 'const mdxComponents: Record<string, Part> = { img };'],
  ])('stay if a component shows them: %s: %s', async (file, code) => {
    const { left, written } = await importInto({
      [file]: code,
      'src/a.md': '![A](/logo.png)\n',
      'src/b.mdx': '![A](/logo.png)\n',
    });
    expect(written).toEqual(['src/a.md']);
    expect(left).toEqual(['src/b.mdx:1 ![…](media:4713)', `${file}:1 stops the images in MDX`]);
  });

  test.each([
    'interface Props { components: string[]; img: ImageMetadata }',
    "import { cards } from './components'\nconst { img } = cards",
    'const components = { a: Link };\nconst img = 1;',
  ])('become assets next to %s', async (code) => {
    const { written } = await importInto({ 'src/a.ts': code, 'src/b.mdx': '![A](/logo.png)\n' });
    expect(written).toEqual(['src/b.mdx']);
  });
});

test('code that loads images by a pattern is listed', async () => {
  const { left, plan } = await importInto({
    'src/a.ts': "const all = import.meta.glob<Module>('/src/assets/**/*.{jpg,png}');",
    'src/b.astro':
      '---\nconst posts = import.meta.glob(\'./*.md\');\n---\n<img src="/logo.png" />\n',
  });
  expect(left).toEqual([
    'src/b.astro:4 <MediaAsset id={4713} alt="…" />',
    'src/a.ts:1 loads images by a pattern',
  ]);
  expect(plan.names).toHaveLength(1);
});

test('a component of another framework gets its image from a page', async () => {
  const code = "import logo from '/logo.png';";
  const { plan } = await importInto({ 'src/a.ts': code, 'src/b.tsx': code });
  expect(plan.left.map(({ problem }) => problem)).toEqual([
    "it's in HTML or code",
    'a page can pass it to the component',
  ]);
});

describe('data and code', () => {
  test.each([
    ['src/data/team.json', '{ "photo": "/logo.png" }', '{ "id": 4713 }'],
    ['src/data/team.yaml', 'photo: ../assets/quay.jpg # Ada\n', '{ id: 4711 }'],
    [
      'src/config.ts',
      'export const image = "assets/quay.jpg";',
      "getMediaAsset({ id: 4711, alt: '…' })",
    ],
    [
      'src/card.tsx',
      "import q from '~/assets/old quay (1).png';",
      "getMediaAsset({ id: 4712, alt: '…' })",
    ],
    ['src/a.astro', '<img src="/logo.png" />', '<MediaAsset id={4713} alt="…" />'],
    ...[
      ['src/a.astro', '<p style="background: url(/logo.png)" />'],
      ['src/a.astro', '<meta property="og:image" content="/logo.png" />'],
      ['src/a.astro', '<meta property="og:image" content="https://a.example/logo.png" />'],
      ['src/styles/a.css', "p { background: url('/logo.png') }"],
      ['src/Card.svelte', '<img src={`{base}/logo.png`} />'],
      ['src/Card.vue', '<img src="#alias/logo.png" />'],
      ['src/icons.ts', "import logo from './logo.png?url';"],
      ['src/Card.jsx', "import logo from '/logo.png';"],
      ['src/Card.svelte', "<script>import logo from '/logo.png';</script>"],
      ['src/Card.vue', "<script setup>import logo from '/logo.png';</script>"],
      ['site.config.mjs', "export default { logo: 'logo.png' };"],
      ['src/a.astro', '<Card imgSrc="/logo.png" title="A" />'],
      ['src/a.astro', "<Card image={{ src: '/logo.png' }} />"],
      ['src/b.astro', '<link rel="preload" as="image" href="/logo.png" />'],
    ].map(([file, text]) => [file, text, "getMediaAsset({ id: 4713, alt: '…' })"]),
  ] as [string, string, string][])('%s stays: %s', async (file, text, replacement) => {
    const { left, written } = await importInto({ [file]: text });
    expect({ left, written }).toEqual({ left: [`${file}:1 ${replacement}`], written: [] });
  });

  test.each([
    ['src/Head.astro', '<link rel="icon" sizes="32x32" href="/logo.png" />'],
    ['src/Head.astro', '<link href="/logo.png"\n  rel="apple-touch-icon" />'],
    ['src/index.html', "<link rel='shortcut icon' href='/logo.png'>"],
    ['public/site.webmanifest', '{ "icons": [{ "src": "logo.png" }] }'],
    ['public/manifest.json', '{ "icons": [{ "src": "logo.png" }] }'],
  ])('an icon of the site stays a file of it: %s: %s', async (file, text) => {
    expect((await importInto({ [file]: text })).plan.names).toEqual([]);
    const { plan } = await importInto({ [file]: text, 'src/b.astro': '<img src="/logo.png" />' });
    expect(plan.names.map(({ path }) => path)).toEqual(['public/logo.png']);
  });
});

test('an address in the code of an `.astro` file becomes a call, and an import a tag', async () => {
  const { left } = await importInto({
    'src/a.astro': `---
import logo from '/logo.png';
const url = new URL('/logo.png', Astro.site);
---
`,
  });
  expect(left).toEqual([
    'src/a.astro:2 <MediaAsset id={4713} alt="…" />',
    "src/a.astro:3 getMediaAsset({ id: 4713, alt: '…' })",
  ]);
});

const own = "import { MediaAsset } from 'astro-media-asset/components';\n";

const picture = '<MediaAsset id={…} alt="…" />';

describe('an `.astro` file', () => {
  const imports = "import { Image } from 'astro:assets';\nimport quay from '../assets/quay.jpg';\n";

  test.each([
    [
      'a component',
      `---
${imports}---
<Image src={quay} alt="A quay" width={800} />
`,
      `---
${own}---
<MediaAsset id={4711} alt="A quay" width={800} />
`,
    ],
    [
      'a picture, next to a function of the same module',
      `---
import { getImage, Picture } from 'astro:assets';
import quay from '@/assets/quay.jpg';
const logo = await getImage({ src: 'https://a.example/mole.png', width: 1, height: 1 });
---
<Picture
  src={quay}
  alt="A quay"
></Picture>
`,
      `---
${own}import { getImage } from 'astro:assets';
const logo = await getImage({ src: 'https://a.example/mole.png', width: 1, height: 1 });
---
<MediaAsset
  id={4711}
  alt="A quay"
></MediaAsset>
`,
    ],
    [
      'several tags of an image, one with directives and computed attributes',
      `---
// The quay
${imports}---
<Image src={quay} alt={\`The quay of \${name}\`} class:list={["a", b]} transition:name="x" data-x aria-hidden={y} />
{all.map(() => <Image src={quay} alt="quay" />)}
`,
      `---
// The quay
${own}---
<MediaAsset id={4711} alt={\`The quay of \${name}\`} class:list={["a", b]} transition:name="x" data-x aria-hidden={y} />
{all.map(() => <MediaAsset id={4711} alt="quay" />)}
`,
    ],
  ])('%s becomes a component', async (_, before, after) => {
    const { read, left } = await importInto({ 'src/pages/a.astro': before });
    expect(left).toEqual([]);
    expect(await read('src/pages/a.astro')).toBe(after);
  });

  test('keeps what only looks like an import', async () => {
    const example = "<pre>\nimport quay from '../assets/quay.jpg';\n</pre>\n";
    const { read } = await importInto({
      'src/pages/a.astro': `---\n${imports}---\n<Image src={quay} alt="" />\n${example}`,
    });
    expect(await read('src/pages/a.astro')).toBe(
      `---\n${own}---\n<MediaAsset id={4711} alt="" />\n${example}`,
    );
  });

  test('keeps line ends of Windows', async () => {
    const code = `---\n${imports}---\n<Image src={quay} alt="Logo" />\n<p>\n</p>\n`;
    const { read } = await importInto({ 'src/pages/a.astro': code.replaceAll('\n', '\r\n') });
    expect(await read('src/pages/a.astro')).not.toMatch(/[^\r]\n/);
  });

  test('writes in the style of the file, and keeps the ID of HTML', async () => {
    const code = `---
import { Image } from "astro:assets"
import { MediaFile } from "astro-media-asset/components"
import quay from "@images/quay.jpg"
---
<Image id="hero" src={quay} alt="" /><MediaFile id={1} />
`;
    const { read, left } = await importInto({
      'src/pages/a.astro': code,
      'tsconfig.json': '{ "paths": { "@/*": ["./src/*"], "@images/*": ["./src/assets/*"] }, }',
    });
    expect(left).toEqual([]);
    expect(await read('src/pages/a.astro')).toBe(`---
import { MediaAsset } from "astro-media-asset/components"
import { MediaFile } from "astro-media-asset/components"
---
<MediaAsset htmlId="hero" id={4711} alt="" /><MediaFile id={1} />
`);
  });

  test.each([
    ['5.16.0', '', false],
    ['5.16.0', 'fit="cover"', false],
    ['6.0.1', '', true],
    ['7.3.5', '', true],
  ])(
    'with Astro %s, a tag with both sides %s is converted: %s',
    async (astro, more, isConverted) => {
      const tag = `<Image src={quay} alt="" width={400} height={300} ${more} />`;
      const files = { 'src/pages/a.astro': `---\n${imports}---\n${tag}\n` };
      expect((await importInto(files, { astro })).written).toHaveLength(isConverted ? 1 : 0);
    },
  );

  const plain = '<Image src={quay} alt="" />';

  test.each([
    [`${plain}{quay.width}`, 'code uses the image'],
    [`${plain}<img src={quay.src} alt="" />`, 'another tag shows it'],
    [`${plain}{all.map(({ quay }) => <Image src={quay} alt="" />)}`, 'another value has its name'],
    ['<Image src={quay} alt="" width="100%" />', 'a value is refused'],
    ['<Image src={quay} alt="" ismap usemap="#a" nonsense="x" />', 'a prop is refused'],
    ['<Image src={quay} alt="" {nonsense} />', 'a prop with a computed value is refused'],
    ['<Image src={quay} alt="" inferSize />', "a prop is Astro's"],
    ['<Image src={quay} alt />', 'the alt text is no text'],
    ['<Image src={quay} alt="" width={size} />', 'a size is computed'],
    ['<Image src={quay} alt="" widths={[240, quay.width]} />', 'a prop uses the image'],
    ['<Image src={quay} alt="" {...more} />', 'a spread can hold anything'],
    ['<Image src={quay} alt="" {id} />', 'the ID of HTML is a shorthand'],
    ['<Image src={quay} width="100" />', 'the tag has no alt text'],
  ])('%s stays: %s', async (code) => {
    const { left, written } = await importInto({
      'src/pages/a.astro': `---\n${imports}---\n${code}\n`,
    });
    expect(written).toEqual([]);
    expect(left).toEqual([`src/pages/a.astro:3 ${picture.replace('…', '4711')}`]);
  });

  test.each([
    "import MediaAsset from './Own.astro';",
    "import { Own as MediaAsset } from './own.ts';",
    'const MediaAsset = Own;',
  ])('%s keeps its name', async (code) => {
    const { written } = await importInto({
      'src/pages/a.astro': `---\n${imports}${code}\n---\n${plain}\n`,
    });
    expect(written).toEqual([]);
  });
});

describe('an `image()` field', () => {
  const config = (
    field: string,
    base = './src/content',
  ) => `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
const posts = defineCollection({
  loader: glob({ base: '${base}', pattern: '**/*.md' }),
  schema: ({ image }) => z.object({ hero: ${field}, other: z.string() }),
});
`;
  const entry = '---\nhero: ../assets/quay.jpg # x\nother: text\n---\n';
  const page = `---
import { Image } from 'astro:assets';
const { hero } = Astro.props;
---
{post.data.hero && <Image src={post.data.hero} alt="" width={20} />}
{hero ? <Image src={hero} alt="" /> : <p>The hero</p>}
`;
  const site = {
    'src/content/a.md': entry,
    'src/content/b.md': '---\nother: text\n---\nThe hero: hero\n',
    'src/content.config.ts': config('image().optional()'),
    'src/pages/a.astro': page,
  };

  test('becomes an asset in its entries, schema and readers', async () => {
    const { read, left } = await importInto(site);
    expect(left).toEqual([]);
    expect(await read('src/content/a.md')).toBe(
      entry.replace('../assets/quay.jpg', '{ id: 4711 }'),
    );
    expect(await read('src/content.config.ts')).toBe(
      `import { mediaAsset } from 'astro-media-asset/schema';
${config('mediaAsset().optional()').replace('({ image })', '()')}`,
    );
    expect(await read('src/pages/a.astro')).toBe(`---
${own}const { hero } = Astro.props;
---
{post.data.hero && <MediaAsset {...post.data.hero} alt="" width={20} />}
{hero ? <MediaAsset {...hero} alt="" /> : <p>The hero</p>}
`);
  });

  test.each([
    ...['image()', 'z.optional(image())', 'z.optional(image()).optional()'].map((form) => [form]),
  ])('%s is plain', async (form) => {
    const { read } = await importInto({ ...site, 'src/content.config.ts': config(form) });
    expect(await read('src/content.config.ts')).toContain(
      `hero: ${form.replace('image()', 'mediaAsset()')},`,
    );
  });

  test('becomes an asset if a script of the site returns early', async () => {
    const script = '<script is:inline define:vars={{ theme }}>\n  if (done) return;\n</script>\n';
    const { written } = await importInto({ ...site, 'src/Script.astro': script });
    expect(written).toContain('src/content/a.md');
  });

  test('that no schema declares stays', async () => {
    const { left, written } = await importInto({
      'src/content/a.md': entry.replace('hero', 'cover'),
      'src/content.config.ts': config('image()'),
    });
    expect({ left, written }).toEqual({ left: ['src/content/a.md:2 { id: 4711 }'], written: [] });
  });

  test.each([
    ['logo.png', '<Image src={hero} alt="Logo" />', '<MediaAsset id={4713} alt="Logo" />'],
    ['logo.svg', '<Image src={hero} alt="Logo" />', undefined],
    ['logo.svg', '<Image src={hero} alt="Logo" {...more} />', undefined],
    ['logo.svg', '<Card image={hero} />', undefined],
    ['logo.svg', '{hero && <img src={hero.src} alt="Logo" />}', undefined],
  ])('becomes an asset, and an import of its name stays one of %s: %s', async (name, tag, now) => {
    const code = `import hero from '../../public/${name}';\n`;
    const head = "import { Image } from 'astro:assets';\n";
    const { read, written } = await importInto({
      ...site,
      'src/pages/b.astro': `---\n${head}${code}---\n${tag}\n`,
    });
    expect(written).toContain('src/content/a.md');
    expect(await read('src/pages/b.astro')).toBe(
      now ? `---\n${own}---\n${now}\n` : `---\n${head}${code}---\n${tag}\n`,
    );
  });

  test('is told from an import of its name in the same page', async () => {
    const imports = "import { Image } from 'astro:assets';\nimport hero from './logo.svg';\n";
    const { read } = await importInto({
      ...site,
      'src/pages/b.astro': `---\n${imports}---\n<Image src={post.data.hero} alt="" /><Image src={hero} alt="" />\n`,
    });
    expect(await read('src/pages/b.astro')).toBe(
      `---\n${own}${imports}---\n<MediaAsset {...post.data.hero} alt="" /><Image src={hero} alt="" />\n`,
    );
  });

  test('can have the name `image`', async () => {
    const { read, left } = await importInto({
      'src/content/a.md': entry.replace('hero', 'image'),
      'src/content.config.ts': config('z.string()').replace('hero: z.string()', 'image: image()'),
    });
    expect(left).toEqual([]);
    expect(await read('src/content.config.ts')).toContain(
      '() => z.object({ image: mediaAsset(), other',
    );
  });

  test.each(['c++:', '"*":', '"What? (draft":'])(
    'becomes an asset next to the key %s, and that one stays',
    async (key) => {
      const { read, left } = await importInto({
        ...site,
        'src/content/a.md': entry.replace('other:', `${key} ../../public/logo.png\nother:`),
      });
      expect(await read('src/content/a.md')).toContain('hero: { id: 4711 }');
      expect(left).toEqual(['src/content/a.md:3 { id: 4713 }']);
    },
  );

  test('is found whatever the order of its loader’s options', async () => {
    const swapped = config('image()').replace(
      "base: './src/content', pattern: '**/*.md'",
      "pattern: '**/*.{md,mdx}', base: './src/content'",
    );
    const { left } = await importInto({ ...site, 'src/content.config.ts': swapped });
    expect(left).toEqual([]);
  });

  test.each([
    ['docsLoader()', true],
    ['i18nLoader()', true],
    ['docsLoader(options)', false],
    ['api()', false],
  ])('of a site whose other loader is %s can become an asset: %s', async (loader, isKnown) => {
    const more = `${config('image()')}\nconst docs = { loader: ${loader} };\n`;
    const { left, written } = await importInto({ ...site, 'src/content.config.ts': more });
    expect(written.includes('src/content/a.md')).toBe(isKnown);
    expect(left.join().includes('stops the field hero')).toBe(!isKnown);
  });

  test('leaves `image` to the other fields of a schema', async () => {
    const both = config('image()').replace('other:', 'cover: image(), other:');
    const { read } = await importInto({ 'src/content/a.md': entry, 'src/content.config.ts': both });
    expect(await read('src/content.config.ts')).toContain(
      '({ image }) => z.object({ hero: mediaAsset(), cover: image(), other',
    );
  });

  test('of entries outside of `src` becomes an asset, and what else is there stays', async () => {
    const { read, left, written } = await importInto({
      'posts/a.md': '---\nhero: ./quay.jpg\n---\n![A](/logo.png)\n'.replace('./', '../src/assets/'),
      'README.md': '![A](public/logo.png)\n',
      'notes/a.md': '![A](../public/logo.png)\n',
      'scripts/hero.json': '{ "hero": "x" }',
      'src/content.config.ts': config('image()', './posts'),
    });
    expect(written).toEqual(['src/content.config.ts', 'posts/a.md']);
    expect(await read('posts/a.md')).toBe('---\nhero: { id: 4711 }\n---\n![A](media:4713)\n');
    expect(left).toEqual(['notes/a.md:1 ![…](media:4713)']);
  });

  test('of entries outside of `src` stays as a whole because of code that reads it', async () => {
    const { left, written } = await importInto({
      'posts/a.md': '---\nhero: ../src/assets/quay.jpg\n---\n',
      'scripts/feed.mjs': 'export const image = (post) => post.hero;',
      'src/content.config.ts': config('image()', './posts'),
    });
    expect(written).toEqual([]);
    expect(left).toContain('scripts/feed.mjs:1 stops the field hero');
  });

  test.each([
    ['another form of the field', { 'src/content.config.ts': config('image().refine(isWide)') }],
    [
      'a text',
      {
        'src/content.config.ts': config('image()').replace(
          'other:',
          'more: z.object({ hero: z.string() }), other:',
        ),
      },
    ],
    [
      'another use in the schema',
      { 'src/content.config.ts': `${config('image()')}\ncheck(({ hero }) => hero);` },
    ],
    ['entries outside of the project', { 'src/content.config.ts': config('image()', '../posts') }],
    [
      'entries of a folder with code in it',
      { 'src/content.config.ts': config('image()', 'posts/$x') },
    ],
    ['entries of the whole project', { 'src/content.config.ts': config('image()', '.') }],
    [
      'an unknown loader',
      { 'src/content.config.ts': `${config('image()')}\nconst more = { loader: api() };` },
    ],
    [
      'an entry with another value',
      { 'src/content/b.md': '---\nhero: https://a.example/a.jpg\n---\n' },
    ],
    ['an entry with an image that stays', { 'src/content/b.md': '---\nhero: /logo.svg\n---\n' }],
    ['an entry with an empty text', { 'src/content/b.md': "---\nhero: ''\n---\n" }],
    ['an entry without a value', { 'src/content/b.md': '---\nhero:\n---\n' }],
    ['a list', { 'src/content/b.md': '---\nhero: [../assets/quay.jpg]\n---\n' }],
    ['a map', { 'src/content/b.md': '---\nmore:\n  hero: ../assets/quay.jpg\n---\n' }],
    ['an anchor', { 'src/content/b.md': '---\nhero: &a ../assets/quay.jpg\nsmall: *a\n---\n' }],
    ['TOML', { 'src/content/b.md': '+++\nhero = "../assets/quay.jpg"\n+++\n' }],
    ['an entry in data', { 'src/content/b.json': '{ "hero": "/logo.png" }' }],
    ['code', { 'src/rss.xml.ts': 'export const image = (post) => post.data.hero;' }],
    [
      'a component of another framework',
      { 'src/Card.tsx': 'export const Card = ({ hero }) => hero.src;' },
    ],
    ['MDX', { 'src/content/b.mdx': '<Card image={frontmatter.hero} />\n' }],
    ['a tag in MDX', { 'src/content/b.mdx': 'Text\n\n<Card hero="x">Text</Card>\n' }],
    ['a file that can’t be parsed', { 'src/data/b.astro': '---\nconst = 1\n---\n' }],
    ['a script that can’t be parsed', { 'src/b.astro': '<script>const = hero;</script>\n' }],
    ['a script', { 'src/b.astro': '<script>if (a) return; show(hero);</script>\n' }],
    ...[
      '<Card image={post.data.hero} />',
      '<Card hero={other} />',
      '<img src={post.data.hero.src} alt="" />',
      '<Image src={post.data.hero} alt="" {...more} />',
      '<Image src={user.hero} alt="" />',
      '<Image src={post.data["hero"]} alt="" />',
      '{post.data.hero || <Image src={post.data.hero} alt="" />}',
      '{posts.map(({ hero }) => <Image src={hero} alt="" />)}',
      '<meta property="og:image" content={post.data.hero?.src} />',
    ].map((code) => [
      code,
      { 'src/pages/b.astro': `---\nimport { Image } from 'astro:assets';\n---\n${code}\n` },
    ]),
    ...[
      '{posts.map(({ hero }) => <Image src={hero} alt="" />)}',
      '{posts.map((post) => { const { hero } = post.data; return <Image src={hero} alt="" />; })}',
      '<Card {hero} />',
    ].map((code) => [
      `${code} next to an import of its name`,
      {
        'src/pages/b.astro': `---\nimport { Image } from 'astro:assets';\nimport hero from './logo.svg';\n---\n${code}\n`,
      },
    ]),
    ...[
      'const { hero: image } = Astro.props;',
      'const { hero } = await load();',
      'const hero = await getImage({ src: quay });',
      'interface Props { hero?: ImageMetadata }',
    ].map((code) => [code, { 'src/pages/b.astro': `---\n${code}\n---\n` }]),
  ] as [string, Record<string, string>][])('stays as a whole because of %s', async (_, files) => {
    const { left, written } = await importInto({ ...site, ...files });
    expect(written).toEqual([]);
    const [stop = ''] = Object.keys(files);
    expect(left.filter((one) => one.startsWith(stop)).join()).toMatch(
      /stops the field hero|can't be parsed/,
    );
    expect(left).toContain('src/content/a.md:2 { id: 4711 }');
  });
});

describe('writing two files', () => {
  const text = '![A](/logo.png)\n';
  const ids = new Map(images.map((path) => [path, 4711]));

  async function planned(...names: string[]) {
    const root = await temporaryFolder('import');
    await mkdir(join(root, 'src'));
    const files = names.map((name) => join(root, 'src', name));
    for (const file of files) await writeFile(file, text);
    const project = await projectImages(root, images);
    const plan = await planImport(root, project);
    const [first, second] = files as [string, string];
    return { first, second, write: () => writeImport(plan, { ids, project }) };
  }

  test.each([
    ['is read-only', 'source-read-only', (file: string) => chmod(file, 0o444)],
    ['has changed since', 'source-changed', (file: string) => writeFile(file, 'By hand\n')],
    ['is gone', 'source-read-only', (file: string) => rm(file)],
  ])('doesn’t touch the first if the second %s', async (_, code, change) => {
    const { first, second, write } = await planned('a.md', 'b.md');
    const { ino } = await stat(first);
    await change(second);
    await expect(write()).rejects.toMatchObject({ code });
    expect(await readFile(first, 'utf8')).toBe(text);
    expect((await stat(first)).ino).toBe(ino);
  });

  test('puts the first back if the second can’t be written', async () => {
    // The name of the temporary file next to it is too long.
    const { first, second, write } = await planned('a.md', `${'b'.repeat(230)}.md`);
    await expect(write()).rejects.toMatchObject({ code: 'source-read-only' });
    expect(await readFile(first, 'utf8')).toBe(text);
    expect(await readFile(second, 'utf8')).toBe(text);
  });
});

test('images of folders are found whatever the case of their extension', async () => {
  const root = await temporaryFolder('import');
  await mkdir(join(root, 'src/(assets)/x'), { recursive: true });
  for (const name of ['x/a.JPG', 'b.svg', 'c.webp', 'd.txt'])
    await writeFile(join(root, 'src/(assets)', name), '');
  expect(await listImages(root, ['src/(assets)/', 'none'])).toEqual([
    'src/(assets)/c.webp',
    'src/(assets)/x/a.JPG',
  ]);
});

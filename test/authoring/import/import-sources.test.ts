import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planImport, writeImport } from '../../../src/authoring/import/import-sources.ts';
import { imageResolver, listImages } from '../../../src/authoring/import/local-images.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const images = ['src/assets/quay.jpg', 'src/assets/old quay (1).png', 'public/logo.png'];

async function importInto(files: Readonly<Record<string, string>>) {
  const root = await temporaryFolder('import');
  for (const [name, text] of Object.entries({ ...files, [images[0] as string]: '' })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const resolve = imageResolver(images);
  const plan = await planImport(root, resolve);
  const ids = new Map(images.map((path, at) => [path, 4711 + at]));
  const { written, failed } = await writeImport(plan, { ids, resolve });
  const left = plan.left.map(({ place, problem }) => `${place.file}:${place.line} ${problem}`);
  const read = (file: string) => readFile(join(root, file), 'utf8');
  return { plan, written, failed, left, read };
}

describe('Markdown', () => {
  test.each([
    ['an image', '![A quay](../assets/quay.jpg)', '![A quay](media:4711)'],
    ['one with a title', "![A](/logo.png 'as ](/logo.png)')", "![A](media:4713 'as ](/logo.png)')"],
    ['one in a quote', '> ![A](/logo.png\n> "t")', '> ![A](media:4713\n> "t")'],
    ['one without a text', '![](../assets/quay.jpg)', '![](media:4711?decoration)'],
    ['one in brackets', '![A](<../assets/old quay (1).png>)', '![A](media:4712)'],
    ['one with escapes', '![A](../assets/old%20quay%20(1).png)', '![A](media:4712)'],
    ['one of `public`', '![A](/logo.png)', '![A](media:4713)'],
    ['one below `src`', '![A](~/assets/quay.jpg)', '![A](media:4711)'],
    ['a reference', '![A][q]\n\n[q]: ../assets/quay.jpg "x"', '![A][q]\n\n[q]: media:4711 "x"'],
    ['several in a line', '![A](/logo.png) ![B](/logo.png)', '![A](media:4713) ![B](media:4713)'],
    ['one after code', '`![A](/logo.png)` ![A](/logo.png)', '`![A](/logo.png)` ![A](media:4713)'],
    ['frontmatter', '---\nhero: "/logo.png" # x\n---\n', '---\nhero: { id: 4713 } # x\n---\n'],
  ])('%s names the asset', async (_, before, after) => {
    const { read, failed } = await importInto({ 'src/content/a.md': `${before}\n` });
    expect(failed).toEqual([]);
    expect(await read('src/content/a.md')).toBe(`${after}\n`);
  });

  test.each([
    '![A](https://a.example/quay.jpg)',
    '![A](../assets/other.jpg)',
    '[a link](/logo.png)',
  ])('%s stays', async (text) => {
    const { plan } = await importInto({ 'src/content/a.md': text });
    expect(plan.files).toEqual([]);
  });

  test.each([
    ['a link has the same address', '[x][q] ![A][q]\n\n[q]: /logo.png\n', 3],
    ["its address isn't written plainly", '![A](/logo.png?a&amp;amp;b)\n', 1],
    ['the value has a tag or an anchor of YAML', '---\nhero: &h /logo.png\nsmall: *h\n---\n', 2],
    ['the value has a tag or an anchor of YAML', '---\nhero: !!str /logo.png\n---\n', 2],
  ])('an image is left to a person if %s', async (problem, text, line) => {
    const { left, written } = await importInto({ 'src/content/a.md': text });
    expect(written).toEqual([]);
    expect(left).toEqual([`src/content/a.md:${line} ${problem}`]);
  });

  test('an HTML tag is left to a person', async () => {
    const text = 'Text\n\n<p><img src="/logo.png"></p>\n';
    const { left, written } = await importInto({ 'src/content/a.md': text });
    expect(written).toEqual([]);
    expect(left).toEqual(["src/content/a.md:3 it's in code or HTML"]);
  });

  test('an image that MDX imports is left to a person', async () => {
    const text =
      "import { Image } from 'astro:assets';\nimport quay from '../assets/quay.jpg';\n\n<Image src={quay} alt=\"\" />\n";
    const { left, plan } = await importInto({ 'src/content/a.mdx': text });
    expect(left).toEqual(["src/content/a.mdx:1 it's in code or HTML"]);
    expect(plan.images.map(({ path }) => path)).toEqual(['src/assets/quay.jpg']);
  });
});

const own = "import { MediaAsset } from 'astro-media-asset/components';\n";

describe('an `.astro` file', () => {
  test.each([
    [
      'a component',
      `---
import { Image } from 'astro:assets';
import quay from '../assets/quay.jpg';
---
<Image src={quay} alt="A quay" width={800} inferSize />
`,
      `---
${own}---
<MediaAsset id={4711} alt="A quay" width={800} />
`,
    ],
    [
      'a picture, next to a function of the same module',
      `---
import { getImage, Picture as Art } from 'astro:assets';
import quay from '@/assets/quay.jpg';
const logo = await getImage({ src: '/logo.png', width: 1, height: 1 });
---
<Art
  src={quay}
  fallbackFormat="png"
  alt="A quay"
></Art>
`,
      `---
${own}import { getImage } from 'astro:assets';
const logo = await getImage({ src: '/logo.png', width: 1, height: 1 });
---
<MediaAsset
  id={4711}
  format="png"
  alt="A quay"
></MediaAsset>
`,
    ],
    [
      'a tag with the size of its image',
      `---
import quay from '../assets/quay.jpg';
---
<img src={quay.src} width={quay.width} height={quay.height} alt="" />
`,
      `---
${own}---
<MediaAsset id={4711} alt="" />
`,
    ],
    [
      'a tag without code',
      '<p><img src="/logo.png" alt="Logo" width="100" height="50"></p>\n',
      `---
${own}---

<p><MediaAsset id={4713} alt="Logo" width="100" height="50" /></p>
`,
    ],
    [
      'a tag with directives',
      '<img src="/logo.png" alt="" class:list={["a", b]} transition:name="x" data-x aria-hidden={y} />\n',
      `---
${own}---

<MediaAsset id={4713} alt="" class:list={["a", b]} transition:name="x" data-x aria-hidden={y} />
`,
    ],
  ])('%s becomes a component', async (_, before, after) => {
    const { read, failed, left } = await importInto({ 'src/pages/a.astro': before });
    expect({ failed, left }).toEqual({ failed: [], left: [] });
    expect(await read('src/pages/a.astro')).toBe(after);
  });

  test('keeps line ends of Windows', async () => {
    const code = '<img src="/logo.png" alt="Logo">\r\n<p>\r\n</p>\r\n';
    const { read } = await importInto({ 'src/pages/a.astro': code });
    expect(await read('src/pages/a.astro')).not.toMatch(/[^\r]\n/);
  });

  test('an image that code uses keeps its import, and a person is told', async () => {
    const code = `---
import quay from '../assets/quay.jpg';
const size = quay.width;
---
<img src={quay.src} alt="" /><img src={quay.src} srcset="x" alt="" />
`;
    const { read, left } = await importInto({ 'src/pages/a.astro': code });
    expect(await read('src/pages/a.astro')).toContain("import quay from '../assets/quay.jpg';");
    expect(left).toEqual([
      'src/pages/a.astro:5 the tag has a prop or a value that <MediaAsset> refuses',
      'src/pages/a.astro:3 code uses the image',
      'src/pages/a.astro:5 code uses the image',
    ]);
  });

  test('an image that other props need keeps its import, and a person is told', async () => {
    const code = `---
import quay from '../assets/quay.jpg';
---
<img src={quay.src} alt="" widths={[240, quay.width]} />
`;
    const { read, left } = await importInto({ 'src/pages/a.astro': code });
    expect(await read('src/pages/a.astro')).toBe(`---
${own}import quay from '../assets/quay.jpg';
---
<MediaAsset id={4711} alt="" widths={[240, quay.width]} />
`);
    expect(left).toEqual(['src/pages/a.astro:4 code uses the image']);
  });

  const lacks = 'the tag has a prop or a value that <MediaAsset> refuses';

  test.each([
    [lacks, '<img src="/logo.png" alt="" width="100%" />'],
    [lacks, '<img src="/logo.png" alt />'],
    [lacks, '<img src="/logo.png" alt="" ismap usemap="#a" nonsense="x" />'],
    [lacks, '<img src="/logo.png" alt="" {...more} />'],
    ['the tag has no alt text', '<img src="/logo.png" width="100" />'],
    [
      'the file has another MediaAsset',
      '---\nimport MediaAsset from \'./Own.astro\';\n---\n<img src="/logo.png" alt="" />',
    ],
    [
      'code uses the image',
      '---\nimport quay from \'../assets/quay.jpg\';\n---\n{all.map(({ quay }) => <img src={quay} alt="" />)}',
    ],
  ])('a tag is left to a person if %s: %s', async (problem, code) => {
    const { left, written } = await importInto({ 'src/pages/a.astro': code });
    expect(written).toEqual([]);
    expect(left).toEqual([expect.stringMatching(/^src\/pages\/a\.astro:\d+ /)]);
    expect(left[0]).toContain(problem);
  });

  test('only expressions that are a field for sure show one', async () => {
    const tags = (names: readonly string[]) =>
      names.map((name) => `{x && <img src={${name}} alt="" />}`).join('\n');
    const shown = ['entry.data.cover.src', 'data.cover.src.src', 'cover.src', 'page.photo'];
    const unsure = ['user.src', 'entry.data.src', 'other.cover.src', 'photo'];
    const { read, left } = await importInto({
      'src/content/a.md': '---\ncover:\n  src: /logo.png\n---\n',
      'src/data/team.json': '{ "ada": { "photo": "/logo.png" } }',
      'src/pages/a.astro': `---
import team from '../data/team.json';
const { cover } = Astro.props;
---
${tags(shown)}
${tags(unsure)}
`,
    });
    expect((await read('src/pages/a.astro')).match(/(?<=\{\.\.\.)[^}]+/g)).toEqual([
      ...['entry.data.cover.src', 'data.cover.src', 'cover.src', 'page.photo'],
    ]);
    expect(left).toEqual(
      [9, 10, 11, 12].map(
        (line) => `src/pages/a.astro:${line} another component or code gets the image`,
      ),
    );
  });

  test('a part of a field that a page reads is left to a person', async () => {
    const { left } = await importInto({
      'src/content/a.md': '---\nhero: /logo.png\n---\n',
      'src/pages/a.astro': '---\nconst card = post.data.hero.src;\n---\n{post.data.hero.width}\n',
    });
    const problem = 'another component or code gets the image';
    expect(left).toEqual([2, 4].map((line) => `src/pages/a.astro:${line} ${problem}`));
  });

  test('a schema with another kind of field of the same name stays', async () => {
    const config = (hero: string) => `import { defineCollection } from 'astro:content';
const posts = defineCollection({ schema: ({ image }) => z.object({ hero: ${hero} }) });
const notes = defineCollection({ schema: z.object({ hero: z.string() }) });
`;
    const { read, left } = await importInto({
      'src/content/a.md': '---\nhero: /logo.png\n---\n',
      'src/content.config.ts': config('image()'),
    });
    expect(await read('src/content.config.ts')).toContain(
      config('mediaAsset()').split('\n').slice(1).join('\n'),
    );
    expect(left).toEqual([
      'src/content.config.ts:undefined a schema has another kind of field hero',
    ]);
  });

  test('one that shows a field of an entry gets its props, and the schema its kind', async () => {
    const { read, left } = await importInto({
      'src/content/a.md': '---\nhero: /logo.png\nother: text\n---\n',
      'src/content.config.ts': `import { defineCollection } from 'astro:content';
const posts = defineCollection({
  schema: ({ image }) => z.object({ hero: image().optional(), other: z.string() }),
});
`,
      'src/pages/a.astro': `---
import { Image } from 'astro:assets';
---
{post.data.hero && <Image src={post.data.hero} alt="" width={20} />}
<Head image={post.data.hero} />
`,
    });
    expect(await read('src/pages/a.astro')).toBe(`---
${own}---
{post.data.hero && <MediaAsset {...post.data.hero} alt="" width={20} />}
<Head image={post.data.hero} />
`);
    expect(
      await read('src/content.config.ts'),
    ).toBe(`import { defineCollection } from 'astro:content';
import { mediaAsset } from 'astro-media-asset/schema';
const posts = defineCollection({
  schema: ({ image }) => z.object({ hero: mediaAsset().optional(), other: z.string() }),
});
`);
    expect(left).toEqual(['src/pages/a.astro:5 another component or code gets the image']);
  });
});

test('code that gets a field is left to a person', async () => {
  const { left } = await importInto({
    'src/content/a.md': '---\nhero: /logo.png\n---\n',
    'src/pages/a.astro': `---
const { hero } = Astro.props;
const card = new URL(hero, Astro.site);
---
<meta property="og:image" content={card} />
`,
  });
  expect(left).toEqual(['src/pages/a.astro:3 another component or code gets the image']);
});

test('a file that can’t be parsed is left to a person, and others change', async () => {
  const { left, written } = await importInto({
    'src/data/a.json': '{ "photo": "/logo.png", }',
    'src/data/b.json': '{ "photo": "/logo.png" }',
  });
  expect(written).toEqual(['src/data/b.json']);
  expect(left).toEqual([expect.stringMatching(/^src\/data\/a\.json:1 .*can't be parsed/)]);
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

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMarkdownProcessor, unified } from '@astrojs/markdown-remark';
import { satteri } from '@astrojs/markdown-satteri';
import type { AstroConfig } from 'astro';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFailure } from '../../../src/assets/formats/markers.ts';
import type { Asking } from '../../../src/assets/request/asking.ts';
import type { MediaAsset, MediaAssetRequest } from '../../../src/assets/request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../../../src/assets/request/media-file.ts';
import { parseRequest } from '../../../src/assets/request/parse-request.ts';
import { placingOf } from '../../../src/assets/request/props.ts';
import { blockMarker, type MarkBlocks } from '../../../src/astro/markdown/markdown-blocks.ts';
import { changeNodes } from '../../../src/astro/markdown/markdown-nodes.ts';
import { createMarkdownPlugins } from '../../../src/astro/markdown/markdown-plugins.ts';
import { createMarkdownRenderer } from '../../../src/astro/markdown/markdown-renderer.ts';
import { ignoreOurs, type MediaAssetError, mediaAssetError } from '../../../src/errors/errors.ts';
import { pageMarkers } from '../../../src/scan/extract/page-markers.ts';
import { pageElements } from '../../../src/scan/read/read-page.ts';
import { defaultOptions } from '../../support/images/default-options.ts';

const withdrawn = 404;

const sent = (picture: object) => encodeURIComponent(JSON.stringify(picture));

/** A fake of a site's images. Its URLs contain the requested values. */
async function getMediaAsset(request: MediaAssetRequest, asking: Asking): Promise<MediaAsset> {
  const { place, inMarkdown } = asking;
  const { id, alt, ...picture } = request;
  expect(inMarkdown).toBe(true);
  const { image, formats, placeholder } = parseRequest({ ...request, ...asking });
  if (id === withdrawn) {
    const assets = [{ id, reason: 404, asked: [{ place }] }];
    throw mediaAssetError('asset-withdrawn', { assets });
  }
  const size = { width: 30, height: 20 };
  const sources = formats.map((format) => {
    return { ...size, type: `image/${format}`, srcset: `/${id}.${format}` };
  });
  return {
    ...{ ...size, id, alt, sources, ...placingOf(image) },
    src: `/${id}?${sent(picture)}`,
    srcset: `/${id}/1 1x, /${id}/2 2x`,
    placeholder: placeholder === 'none' ? undefined : 'data:image/webp;base64,AA==',
    placeholderStyle: placeholder === 'color' ? 'background-image:url(data:,A;B)' : undefined,
  } as unknown as MediaAsset;
}

async function getMediaFile({ id, name = 'Report 12' }: MediaFileRequest): Promise<MediaFile> {
  const file = { contentType: 'application/pdf', fileName: `${name}.pdf` };
  return { ...file, src: `/${id}.pdf`, text: `${name} (PDF, 1 byte)` } as MediaFile;
}

/** The failures in the HTML of Markdown. */
function failuresIn(html: string) {
  const markers = pageMarkers(pageElements({ html, page: '/' }));
  return markers.flatMap(({ kind, value }) => (kind === 'failed' ? readFailure(value) : []));
}

const root = await mkdtemp(join(tmpdir(), 'markdown-'));
/** In dev. */
let marker: MarkBlocks | undefined;

afterAll(() => rm(root, { recursive: true, force: true }));

function pluginsOf(refused: MediaAssetError[] = []) {
  const renderer = createMarkdownRenderer({
    images: { getMediaAsset, getMediaFile },
    root,
    languages: defaultOptions.languages,
    isBuild: true,
    events: {
      onShown() {},
      onRefused: (_id, error) => refused.push(error),
      onFailure: ignoreOurs,
    },
  });
  return createMarkdownPlugins({
    change: changeNodes(renderer),
    marker: () => marker,
  });
}

const markdownOf = (processor: unknown) => ({ markdown: { processor } }) as AstroConfig;

type Shared = Parameters<ReturnType<typeof satteri>['createRenderer']>[0];
type Render = (text: string, file?: string) => Promise<string>;

/** Renders Markdown like Astro 7, Astro 6.4 and 7 with remark and rehype, and Astro 5. */
const processors: Record<string, () => Promise<Render>> = {
  async satteri() {
    const processor = satteri();
    pluginsOf().install(markdownOf(processor));
    return renderWith(await processor.createRenderer({ syntaxHighlight: false } as Shared));
  },
  async unified() {
    const processor = unified();
    pluginsOf().install(markdownOf(processor));
    return renderWith(await processor.createRenderer({ syntaxHighlight: false } as Shared));
  },
  async 'rehype of Astro 5'() {
    let lists: Record<string, unknown> = {};
    pluginsOf().install(markdownOf(undefined), ({ markdown }) => {
      lists = markdown;
    });
    return renderWith(await createMarkdownProcessor({ syntaxHighlight: false, ...lists }));
  },
};

function renderWith(renderer: {
  render(text: string, options: object): Promise<{ code: string }>;
}): Render {
  return async (text, file = join(root, 'note.md')) =>
    (await renderer.render(text, { fileURL: pathToFileURL(file), frontmatter: {} })).code;
}

describe.each(Object.entries(processors))('Markdown with %s', (_, create) => {
  let render: Render;

  beforeAll(async () => {
    render = await create();
  });

  /** Returns the content of the only paragraph. */
  async function elementOf(text: string): Promise<string> {
    return (await render(text)).trim().replace(/^<p>(.*)<\/p>$/s, '$1');
  }

  test('shows an asset like the component does', async () => {
    expect(await elementOf('![A quay](media:4711?crop=1,2,3,4&width=30)')).toBe(
      `<img data-media-asset="4711" data-media-asset-layout="constrained" data-media-asset-fit="cover" src="/4711?${sent({ crop: { x: 1, y: 2, width: 3, height: 4 }, width: 30 })}" srcset="/4711/1 1x, /4711/2 2x" alt="A quay" width="30" height="20" loading="lazy" decoding="async">`,
    );
  });

  test('keeps the title, and loads images with priority eagerly', async () => {
    const html = await elementOf('![A quay](media:4711?priority "From the <north>")');
    expect(html).toContain('loading="eager" decoding="sync" fetchpriority="high"');
    expect(html).toMatch(/title="From the (?:<|&lt;|&#x3C;)north(?:>|&gt;)"/);
  });

  test("shows a placeholder as the image's background, below the author's own background", async () => {
    const written = '<img src="media:4711?placeholder=color" alt="A quay" style="border:0">';
    expect(await elementOf(written)).toContain(' style="background-image:url(data:,A;B);border:0"');
  });

  test('renders a <picture> for formats, without a placeholder if style attributes are forbidden', async () => {
    const html = await elementOf('![A quay](media:4711?formats=avif&placeholder=blur)');
    expect(html).toMatch(
      /^<picture><source type="image\/avif" srcset="\/4711\.avif" width="30" height="20"><img data-media-asset="4711" .*<\/picture>$/,
    );
    expect(html).not.toContain('style');
  });

  test.each([
    ['by reference', '![A quay][quay]\n\n[quay]: media:4711?widths=10'],
    ['in angle brackets', '![A quay](<media:4711?widths=10>)'],
    ['in a link', '[![A quay](media:4711?widths=10)](/quay/)'],
    ['in a table', '| a |\n| --- |\n| ![A quay](media:4711?widths=10) |'],
    [
      'in HTML',
      '<figure><!-- <img src="media:1"> -->\n<IMG alt="A quay" src=\'media:4711?widths=10\' /></figure>',
    ],
    ['in inline HTML', 'A <b><img alt="A quay" src="media:4711?widths=10"></b> line'],
  ])('finds an image %s', async (_name, text) => {
    const html = await render(text);
    expect(html).toMatch(
      /<img data-media-asset="4711" [^>]*src="[^"]*widths[^"]*10[^"]*" [^>]*alt="A quay"/,
    );
    expect(html.match(/<img /g)).toHaveLength(text.includes('<!--') ? 2 : 1);
  });

  test('reads values with a percent sign', async () => {
    expect(await elementOf('![A quay](media:4711?position=25%,75%)')).toContain(
      sent({ position: '25% 75%' }),
    );
  });

  test.each<[name: string, text: string, html: string]>([
    [
      "and names the download after the link's text",
      '[The *annual* report](media:4717 "Of 2025")',
      '<a href="/4717.pdf" title="Of 2025" data-media-asset="4717" type="application/pdf" download="The annual report.pdf">The <em>annual</em> report</a>',
    ],
    [
      'without a download if browsers open it',
      '[here](media:4717?name=Annual%20report&download=false)',
      '<a href="/4717.pdf" data-media-asset="4717" type="application/pdf">here</a>',
    ],
    [
      'without a text, as its name, type and size',
      '[](media:4717)',
      '<a data-media-asset="4717" href="/4717.pdf" type="application/pdf" download="Report 12.pdf">Report 12 (PDF, 1 byte)</a>',
    ],
    [
      'with its URL as the text, as its name, type and size',
      '<media:4717?name=Tides>',
      '<a data-media-asset="4717" href="/4717.pdf" type="application/pdf" download="Tides.pdf">Tides (PDF, 1 byte)</a>',
    ],
    [
      'in HTML, with its attributes',
      'A <a class="pdf" href="media:4717?name=Tides">the *tides*</a>',
      'A <a class="pdf" data-media-asset="4717" href="/4717.pdf" type="application/pdf" download="Tides.pdf">the <em>tides</em></a>',
    ],
  ])('links a file %s', async (_name, text, html) => {
    const attributes = (tag: string) => tag.match(/[\w-]+="[^"]*"/g)?.sort();
    const rendered = await elementOf(text);
    expect(rendered.replace(/<a [^>]*>/, '<a>')).toBe(html.replace(/<a [^>]*>/, '<a>'));
    expect(attributes(rendered)).toEqual(attributes(html));
  });

  test('shows an image in a link to a file', async () => {
    const html = await render('[![A quay](media:4711)](media:4717?name=Quay)');
    expect(html).toMatch(
      /<a [^>]*href="\/4717\.pdf"[^>]*><img data-media-asset="4711" [^>]*><\/a>/,
    );
  });

  test('marks an invalid link as failed, without a URL', async () => {
    const html = await render('[Report](media:4717?width=3)');
    expect(failuresIn(html)[0]?.message).toContain(
      'Unknown parameter `width` of asset 4717. Valid parameters: name, download.',
    );
    expect(html).not.toContain('href');
    expect(html).toContain('>Report</a>');
  });

  test('uses size and attributes of an image in HTML', async () => {
    const html = await elementOf(
      '<img class="wide top" data-zoom="2" width="60" height="40" src="media:4711?height=50" alt="">',
    );
    expect(html).toContain(sent({ height: 50, width: '60' }));
    expect(html).toMatch(/ alt="" .* class="wide top" data-zoom="2">$/);
  });

  test("doesn't change anything else", async () => {
    const text =
      '[A link](/media:4711) ![Local](/quay.jpg) ![Remote](https://media.example/1.jpg)\n\n`![](media:4711)` <img src="/a.jpg" title="media:4711">\n\n    <img src="media:4711">';
    expect(await render(text)).not.toContain('data-media-asset');
  });

  test.each<[text: string, code: string, message: string]>([
    ['![A quay](media:4711?widhts=10)', 'parameter-unknown', 'Unknown parameter `widhts`'],
    ['![A quay](media:4711?width=wide)', 'prop-invalid', 'asset 4711 has width="wide"'],
    ['![A quay](media:quay)', 'asset-id-invalid', `"quay" isn't an asset ID`],
    ['![](media:4711)', 'alt-missing', 'the image of asset 4711 has no `alt`'],
    ['<img src="media:4711" alt="" data-media-asset="9">', 'prop-invalid', 'data-media-asset="9"'],
    ['<img src="media:4711">', 'alt-missing', 'the image of asset 4711 has no `alt`'],
  ])('marks %s as failed with %s, naming file and line', async (text, code, message) => {
    const file = join(root, 'folder', 'broken.md');
    await rm(file, { force: true });
    const body = `# Title\n\nA line\n${text}`;
    const [failure, ...others] = failuresIn(await render(body, await write(file, body)));
    expect(others).toEqual([]);
    expect(failure?.code).toBe(code);
    expect(failure?.place).toEqual({ file: 'folder/broken.md', line: 4 });
    expect(failure?.message).toContain(message);
  });

  test("counts the file's lines, although the text lacks its frontmatter", async () => {
    const body = '<figure>\n<img src="media:4711"></figure>';
    const file = await write(join(root, 'front.md'), `---\ntitle: Front\n---\n\n${body}\n`);
    const [failure] = failuresIn(await render(body, file));
    expect(failure?.place).toEqual({ file: 'front.md', line: 6 });
    expect(failure?.message).toContain('front.md:6: ');
  });

  describe('in dev', () => {
    beforeAll(() => {
      marker = blockMarker(root);
    });
    afterAll(() => {
      marker = undefined;
    });

    const blocksOf = async (text: string, file: string) => {
      const html = await render(text, file);
      return Array.from(html.matchAll(/<(\w+)[^>]* data-media-asset-block="([^"]+)"/g), (found) => {
        const [, tag, json = ''] = found;
        return { tag, ...JSON.parse(json.replaceAll(/&quot;|&#x22;/g, '"')) };
      });
    };

    test('gives each top-level block its place in the file', async () => {
      // The frontmatter has the whole text, and characters of two bytes and two code units.
      const body =
        '# Tïtle 😀\r\nA *line*\r\n\r\n- one\r\n\r\n  two\r\n\r\n<p>HTML</p>\r\n\r\n---\r\n\r\n> quote';
      const whole = `---\r\nsummary: ${body.slice(0, 9)}\r\n---\r\n\r\n${body}\r\n`;
      const file = await write(join(root, 'blocks.md'), whole);
      const hash = createHash('sha256').update(whole).digest('hex');
      const expected = [
        ['h1', 5, '# Tï'],
        ['p', 6, 'A *l'],
        ['ul', 8, '- on'],
        ['hr', 14, '---\r'],
        ['blockquote', 16, '> qu'],
      ].map(([tag, line, start]) => {
        return { tag, file: 'blocks.md', line, start: whole.lastIndexOf(`${start}`), hash };
      });
      expect(await blocksOf(`\r\n${body}\r\n`, file)).toEqual(expected);
    });

    test.each([
      ['is a part of its file', '# Title\n\nText\n', '# Title'],
      ["isn't in its file", 'Text\n', 'Other text'],
    ])('gives none if the text %s', async (_, whole, text) => {
      expect(await blocksOf(text, await write(join(root, 'part.md'), whole))).toEqual([]);
    });
  });

  test('shows decorative images without a text, and a refused asset as a marked place', async () => {
    expect(await elementOf('![](media:4711?decoration)')).toContain(' alt="" ');
    expect(await elementOf(`![A quay](media:${withdrawn})`)).toBe(
      '<img data-media-asset-unavailable="404" alt="A quay">',
    );
  });
});

async function write(file: string, text: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

describe.each([
  ['satteri', satteri],
  ['unified', unified],
])('MDX with %s', (_, create) => {
  async function compile(text: string): Promise<string> {
    const processor = create();
    pluginsOf().install(markdownOf(processor));
    const shared = { syntaxHighlight: false, gfm: true, smartypants: true } as never;
    const mdx = { optimize: false, srcDir: pathToFileURL(`${root}/`) } as never;
    const renderer = await processor.createMdxRenderer?.(shared, mdx);
    return (await renderer?.process(text, join(root, 'note.mdx'), {}))?.code ?? '';
  }

  test('shows images of Markdown like the component does, and leaves JSX alone', async () => {
    const code = await compile(
      '![A quay](media:4711?formats=avif)\n\n<img src="media:4712" alt="A boat" />\n\n{1 + 1}',
    );
    expect(code).toMatch(/"?data-media-asset"?: "4711"/);
    expect(code).toMatch(/"?srcset"?: "\/4711\.avif"/);
    expect(code.match(/media:\d+/g)).toEqual(['media:4712']);
  });

  test('gives blocks their place in dev, except those within components', async () => {
    const text = 'import X from "./x"\n\n# Title {1}\n\n<X>\n\ninner\n\n</X>\n\nAfter <X/>\n';
    await write(join(root, 'note.mdx'), text);
    marker = blockMarker(root);
    const code = await compile(text);
    marker = undefined;
    const found = code.matchAll(/"data-media-asset-block": ("(?:\\.|[^"])*")/g);
    const starts = Array.from(found, ([, json = '']) => JSON.parse(JSON.parse(json)).start);
    expect(starts).toEqual([text.indexOf('# '), text.indexOf('After')]);
  });
});

test('the state is part of the config that Astro compares', () => {
  for (const processor of [satteri(), unified()]) {
    const plugins = pluginsOf();
    plugins.install(markdownOf(processor));
    plugins.install(markdownOf(processor));
    plugins.setState('one');
    const before = JSON.stringify(processor.options);
    plugins.setState('two');
    expect(before.match(/astro-media-asset\/one/g)).toHaveLength(1);
    expect(JSON.stringify(processor.options)).toBe(before.replace('/one', '/two'));
  }
});

test("the first version of Sätteri, which doesn't support nested lists, finds each plugin", () => {
  const { options, ...processor } = satteri();
  pluginsOf().install(markdownOf({ options, ...processor }));
  const plugins: unknown[] = [...options.mdastPlugins, ...options.hastPlugins];
  expect(plugins).toHaveLength(4);
  expect(plugins.some(Array.isArray)).toBe(false);
});

test('an unknown processor is left alone', () => {
  const processor = { name: 'own', options: {} };
  pluginsOf().install(markdownOf(processor));
  expect(processor.options).toEqual({});
});

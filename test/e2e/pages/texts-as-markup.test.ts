/** @module-tag slow */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect, test } from 'vitest';
import { markFailure } from '../../../src/assets/formats/markers.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import { emulatorClient } from '../../assets/open-images.ts';
import { astroConfig, astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const [[failed, failure] = []] = Object.entries(
  markFailure(mediaAssetError('alt-missing', { id: 4711 })),
);

/** They look like something of ours, or end what's around them. */
const hostile = [
  '<li data-media-asset-credits=0><img src=x onerror=document.title=1>',
  '"><li data-media-asset-credits="0"></li>',
  "'><img data-media-asset-unavailable='4711'>",
  '<img data-media-asset-unavailable="4711" alt="The quay at dawn">',
  `<p ${failed}="${failure}">`,
  '--><li data-media-asset-credits=0></li><!--',
  ']]><li data-media-asset-credits=0></li>',
  '</script></title></textarea></code><li data-media-asset-credits=0></li>',
  '&lt;li data-media-asset-credits=0&gt;&#60;img data-media-asset-unavailable=4711&#62;',
];

const configWith = (texts: readonly string[]) =>
  astroConfig(`{
  record: {
    fields: ['text', 'photographer'],
    read: (fields) => ({
      alt: fields.text ?? '',
      credit: fields.photographer,
      source: 'trainedAlgorithmicMedia',
    }),
  },
  sourceLabels: { trainedAlgorithmicMedia: ${JSON.stringify(texts.join())} },
  report: { when: 'always' },
}`).replace('integrations: [', 'integrations: [mdx(), ');

const page = astroPage(
  `<MediaAsset id={4711} width={80} />
  <MediaCredit id={4711} />
  {texts.map((text) => (
    <MediaAsset id={4712} alt={text} title={text} width={80} />
    <p data-text={text}>{text}</p>
    <!-- a -->
    <astro-island props={JSON.stringify({ text: [0, text] })} />
    <script type="application/ld+json" set:html={JSON.stringify(text).replaceAll('<', '\\\\u003c')} />
    <script>const text = "<li data-media-asset-credits=0>"</script>
    <textarea>{text}</textarea>
  ))}`,
  { title: '{texts.join()}', script: "import texts from '../texts.json'" },
).replace('<head>', '<head>{texts.map((text) => <meta name="description" content={text} />)}');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const files = (texts: readonly string[]): Readonly<Record<string, string>> => ({
  'astro.config.mjs': `import mdx from '@astrojs/mdx';\n${configWith(texts)}`,
  'src/texts.json': JSON.stringify(texts),
  'src/pages/index.astro': page,
  'src/pages/credits.astro': astroPage('<MediaCredits />', { title: 'Credits' }),
  'src/pages/code.md': texts.map((text) => `\`${text}\`\n`).join('\n'),
  'src/pages/code-in-mdx.mdx': texts.map((text) => `\`${text}\`\n`).join('\n'),
  'public/llms.txt': texts.join('\n'),
  'public/guide.md': texts.join('\n'),
  'public/search.js': JSON.stringify(texts),
  'public/feed.xml': `<rss><item>${texts.map((text) => `<description>${escaped(escaped(text))}</description>`).join('')}</item></rss>`,
  'public/feed.json': JSON.stringify(texts.map((text) => ({ content_html: escaped(text) }))),
});

const setup = useSite('bare');

/** The tags that a parser finds in each page, in order. */
async function tags(texts: readonly string[]): Promise<Record<string, string[]>> {
  for (const [file, text] of Object.entries(files(texts))) await setup.site.write(file, text);
  const service = emulatorClient(setup.emulator);
  await service.files.update(4711, { text: texts.join(), photographer: texts.join() });
  await outputOf(setup.build());
  const pages = await setup.site.files('dist/**/*.html');
  const found = pages.map(async (file) => [file, tagsIn(parse(await setup.site.read(file)))]);
  return Object.fromEntries(await Promise.all(found));
}

function tagsIn(node: DefaultTreeAdapterTypes.ParentNode): string[] {
  const inside = 'content' in node ? [node.content] : node.childNodes;
  return inside.flatMap((child) => ('tagName' in child ? [child.tagName, ...tagsIn(child)] : []));
}

test('a text in a record, a page, a feed or a text file adds no element and fails no build', async () => {
  const harmless = hostile.map((_, index) => `Text ${index}`);
  const expected = await tags(harmless);
  expect(Object.keys(expected)).toHaveLength(4);
  expect(expected['dist/credits/index.html']).toContain('strong');
  expect(await setup.site.read('dist/index.html')).toContain('data-media-asset-label="4711"');
  expect(await tags(hostile)).toEqual(expected);
});

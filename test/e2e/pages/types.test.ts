/** @module-tag slow */
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, run, type Site } from '../../support/site/site.ts';

const program = fileURLToPath(
  new URL('../../../node_modules/@astrojs/check/bin/astro-check.js', import.meta.url),
);

const square = '{ x: 0, y: 0, width: 10, height: 10 }';

/** Props after `id={4711} alt=""`. */
const rightProps = [
  '',
  'preset="hero"',
  `crop={${square}}`,
  "crop={{ x: 0, y: 0, width: 0.5, height: 1, unit: 'fraction' }}",
  'aspect="16:9" focus={{ x: 0.5, y: 0.2 }}',
  'aspect={1} focus="attention"',
  'width={300} height="200" fit="contain" position="left top"',
  'densities={[1, 2, 3]}',
  'widths={[320, 640]} sizes="50vw" layout="constrained"',
  'format="avif" quality={60} effort={2}',
  "format=\"jpg\" formats={['webp', 'jpg']}",
  'quality="high" background="#fff" densities={[1, "1.5x"]}',
  "formats={['avif', 'webp']} pictureAttributes={{ class: 'wide' }}",
  'placeholder="blur" priority',
  `sources={[{ media: '(max-width: 40em)', crop: ${square}, widths: [100] }]}`,
  'class="wide" loading="eager" data-anything="1" style="opacity: 1"',
  'crop={undefined} sources={undefined} priority={undefined} pictureAttributes={undefined}',
];

const rightCalls = [
  "const asset = await getMediaAsset({ id: 4711, alt: '', page: '/', widths: [100] });",
  'console.log(asset.available && asset.src, data.maybe?.id);',
];

/** Wrong props, each with a word of its error. */
const wrongProps: [string, string][] = [
  ['crop={{ x: 0, y: 0, width: 10 }}', 'height'],
  ["crop={{ x: '0', y: 0, width: 10, height: 10 }}", 'number'],
  ["crop={{ x: 0, y: 0, width: 1, height: 1, unit: 'percent' }}", 'percent'],
  ['crop={{ x: 0, y: 0, w: 10, h: 10 }}', 'w'],
  ['crop="0,0,10,10"', 'crop'],
  ['aspect={[16, 9]}', 'aspect'],
  ['focus="faces"', 'faces'],
  ['focus={{ x: 0.5 }}', 'y'],
  ['width="300px"', '300px'],
  ['height={true}', 'height'],
  ['fit="stretch"', 'stretch'],
  ['position={50}', 'position'],
  ['densities={2}', 'densities'],
  ["widths={['320']}", 'string'],
  ['sizes={300}', 'sizes'],
  ['layout="fluid"', 'fluid'],
  ['format="bmp"', 'bmp'],
  ['formats="avif"', 'formats'],
  ["formats={['heic']}", 'heic'],
  ['quality="best"', 'quality'],
  ['effort="high"', 'effort'],
  ['background={255}', 'background'],
  ["densities={['wide']}", 'wide'],
  ['placeholder="gradient"', 'gradient'],
  ['placeholder', 'placeholder'],
  ['sources={[{ widths: [100] }]}', 'media'],
  ["sources={[{ media: 'print', format: 'webp' }]}", 'format'],
  ["sources={{ media: 'print' }}", 'ArtDirection'],
  ['priority="high"', 'priority'],
  ["pictureAttributes={{ srcset: 'a.png' }}", 'srcset'],
  ['src="quay.png"', 'src'],
  ['srcset="quay.png 2x"', 'srcset'],
  ['data-media-asset="9999"', 'data'],
  ["pictureAttributes={{ 'data-media-asset': '9999' }}", 'undefined'],
  ['page="/"', 'page'],
  ['croop={1}', 'croop'],
  ['preset="heor"', 'heor'],
];

/** A collection whose entries name assets, and `data` of one of them. */
const contentConfig = `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { mediaAsset } from 'astro-media-asset/schema';

const blog = defineCollection({
  loader: glob({ base: './src/content/blog', pattern: '*.md' }),
  schema: z.object({
    hero: mediaAsset(),
    cover: mediaAsset({ alt: 'required' }),
    aside: mediaAsset().optional(),
    maybe: mediaAsset({ optional: true }),
    labelled: mediaAsset({ optional: true, alt: 'required' }),
    more: z.array(mediaAsset()),
  }),
});

export const collections = { blog };
`;

const entry = [
  "import { type CollectionEntry, getCollection } from 'astro:content';",
  "const [{ data }] = await getCollection('blog') as [CollectionEntry<'blog'>];",
];

const wrongElements: [string, string][] = [
  ['<MediaAsset alt="" />', 'id'],
  ['<MediaAsset id={4711} />', 'alt'],
  ['<MediaAsset id="4711" alt="" />', 'id'],
  ['<MediaAsset id={4711} alt={5} />', 'alt'],
  ...wrongProps.map(([props, named]): [string, string] => [element(props), named]),
  ['<MediaAsset {...data.maybe} alt="" />', 'id'],
  ['<MediaAsset {...data.labelled} />', 'id'],
  ['<MediaAsset id={4711} alt="" htmlId={5} />', 'htmlId'],
  ['<MediaFile />', 'id'],
  ['<MediaFile id="4717" />', 'id'],
  ['<MediaFile id={4717} name={2025} />', 'name'],
  ['<MediaFile id={4717} href="report.pdf" />', 'href'],
  ['<MediaFile id={4717} data-media-asset="9999" />', 'data'],
  ['<MediaFile id={4717} naem="Report" />', 'naem'],
  ['<MediaVideo />', 'id'],
  ['<MediaVideo id={4716} poster="ferry.jpg" />', 'poster'],
  ['<MediaVideo id={4716} poster={{ crop: undefined }} />', 'id'],
  ['<MediaVideo id={4716} poster={{ id: 4711, croop: 1 }} />', 'croop'],
  ['<MediaVideo id={4716} src="ferry.mp4" />', 'src'],
  ['<MediaVideo id={4716} data-media-asset="9999" />', 'data'],
  ['<MediaAsset {...data.hero} />', 'alt'],
  ['<MediaAsset {...data.hero} alt="" croop={data.hero.croop} />', 'croop'],
  ['<MediaAsset {...data.aside} alt="" />', 'id'],
];

const rightElements = [
  '<MediaFile id={4717} />',
  '<MediaFile id={4717} name="Report" download={false} class="pdf" lang="nb" />',
  '<MediaVideo id={4716} name="The ferry" poster={4711} muted controls={false} />',
  "<MediaVideo id={4716} poster={{ id: 4711, aspect: '16:9', width: 800 }} width={800} />",
  '<MediaAsset {...data.hero} alt={data.hero.alt ?? "A quay"} />',
  '<MediaAsset {...data.cover} width={300} />',
  '{data.aside && <MediaAsset {...data.aside} alt="" />}',
  '{data.maybe && <MediaAsset {...data.maybe} alt="" />}',
  '{data.labelled && <MediaAsset {...data.labelled} />}',
  '{data.cover.alt.length}',
  '<MediaAsset id={4711} alt="" htmlId="hero" /><MediaCredit id={4711} htmlId="x" />',
  '<MediaCredits htmlId="all" /><MediaFile id={4717} htmlId="a" /><MediaVideo id={4716} htmlId="b" />',
  '{data.more.map((one) => <MediaAsset {...one} alt="" sizes="50vw" />)}',
];

const wrongCalls: [string, string][] = [
  ["await getMediaAsset({ alt: '' });", 'id'],
  ['await getMediaAsset({ id: 4711 });', 'alt'],
  ["await getMediaAsset({ id: '4711', alt: '' });", 'string'],
  ["await getMediaAsset({ id: 4711, alt: '', croop: 1 });", 'croop'],
  ["(await getMediaAsset({ id: 4711, alt: '' })).src;", 'src'],
];

function element(props: string): string {
  return `<MediaAsset id={4711} alt="" ${props} />`;
}

let site: Site;
/** The errors of `astro check`, by `file:line`. */
const errors = new Map<string, { text: string; column: number }>();

/** The text of an error, and the word at its position. */
function errorAt(place: string, line: string): string {
  const error = errors.get(place);
  if (!error) return 'no error';
  return `${error.text} ${/^\w+/.exec(line.slice(error.column - 1))?.[0] ?? ''}`;
}

function page(script: readonly string[], body: readonly string[]): string {
  const from = "from 'astro-media-asset/components';";
  const components = [
    'getMediaAsset',
    ...['Asset', 'Credit', 'Credits', 'File', 'Video'].map((one) => `Media${one}`),
  ];
  const text = [...script, ...body].join(' ');
  const used = components.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return ['---', `import { ${used.join(', ')} } ${from}`, ...script, '---', ...body].join('\n');
}

const settings = {
  extends: 'astro/tsconfigs/strictest',
  include: ['.astro/types.d.ts', 'src'],
  // The package's own Astro is next to it here, which it isn't for users.
  compilerOptions: { paths: { 'astro/zod': ['./node_modules/astro/dist/zod.d.ts'] } },
};

/** One check for all tests, because TypeScript reads all files again for each check. */
beforeAll(async () => {
  site = await createSite('bare', { sharedAstro: true });
  await site.write('src/content.config.ts', contentConfig);
  const presets = "{ presets: { hero: { aspect: '2:1' }, 'small-card': { width: 300 } } }";
  await site.edit('astro.config.mjs', 'mediaAsset()', `mediaAsset(${presets})`);
  await site.write(
    'src/pages/elements.astro',
    page(
      entry,
      wrongElements.map(([text]) => text),
    ),
  );
  await site.write(
    'src/pages/calls.astro',
    page(
      wrongCalls.map(([text]) => text),
      [],
    ),
  );
  await site.write(
    'src/pages/right.astro',
    page([...entry, ...rightCalls], [...rightProps.map(element), ...rightElements]),
  );
  expect(await site.sync()).toMatchObject({ exitCode: 0 });
  // After `sync`: Astro 6 would load the declarations as a module.
  await site.write('tsconfig.json', JSON.stringify(settings));
  const { output } = await run(site.dir, program, ['--minimumSeverity', 'error'], {});
  const found = stripVTControlCharacters(output).matchAll(
    /^src\/pages\/(\w+\.astro:\d+):(\d+) - error (.*(?:\n {2}.*)*)/gm,
  );
  for (const [, place = '', column, text = ''] of found) {
    errors.set(place, { text, column: Number(column) });
  }
});

afterAll(() => site.delete());

test.each(wrongElements.map((row, index) => [...row, index] as const))(
  'astro check refuses %s, and names %s',
  (text, named, index) => {
    expect(errorAt(`elements.astro:${4 + entry.length + index}`, text)).toContain(named);
  },
);

test.each(wrongCalls.map((row, index) => [...row, index] as const))(
  'astro check refuses %s, and names %s',
  (text, named, index) => {
    expect(errorAt(`calls.astro:${3 + index}`, text)).toContain(named);
  },
);

test("astro check accepts a valid value of every prop, and an img's attributes", () => {
  expect([...errors].filter(([place]) => !/^(elements|calls)\./.test(place))).toEqual([]);
});

const recordOption = `import mediaAsset, { type ReadRecord, type ReadRights } from 'astro-media-asset';

export const read = (fields: { alttext?: string }): ReadRecord => ({ alt: fields.alttext });
export default mediaAsset({
  record: {
    fields: ['alttext_de'],
    read: (fields, { locale }) => ({
      alt: fields[\`alttext_\${locale}\`],
      focus: undefined,
    }),
  },
  rights: {
    fields: ['gdprStatus', 'licenceTo'],
    optional: ['licenceTo'],
    read: (fields, { language }): ReadRights => ({
      state: fields.gdprStatus === 'OK' || language === 'de' ? 'allowed' : 'forbidden',
      until: fields.licenceTo,
    }),
    forbidden: 'hide',
    warnDays: 14,
  },
});
`;

// Another check of a whole site, whose types come to it as the presets' do.
test('astro check accepts images without `alt` on a site with the option `record`', {
  tags: ['any-astro'],
}, async () => {
  const own = await createSite('bare', { sharedAstro: true });
  try {
    const record = "{ record: { fields: ['name'], read: ({ name }) => ({ alt: name }) } }";
    await own.edit('astro.config.mjs', 'mediaAsset()', `mediaAsset(${record})`);
    const call = "const quay = await getMediaAsset({ id: 4712, locale: 'de' });";
    const shown = '<p>{quay.available && quay.credit}</p>';
    await own.write('src/pages/index.astro', page([call], ['<MediaAsset id={4711} />', shown]));
    await own.write('src/record.ts', recordOption);
    expect(await own.sync()).toMatchObject({ exitCode: 0 });
    await own.write('tsconfig.json', JSON.stringify(settings));
    const { exitCode, output } = await run(own.dir, program, ['--minimumSeverity', 'error'], {});
    expect(exitCode, output).toBe(0);
  } finally {
    await own.delete();
  }
});

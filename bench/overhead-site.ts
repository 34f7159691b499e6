import { cp, mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseRenditionUrl } from '../src/assets/formats/rendition-url.ts';
import type { Site } from '../test/support/site/site.ts';
import type { Size } from './bench.ts';
import { makeWords } from './make-words.ts';
import { makeSite } from './timed-build.ts';

export interface Notes {
  readonly pages: number;
  readonly assets: number;
  readonly seed: Size['seed'];
}

/** One image in the layout, the others in the text. */
export const assetsPerPage = 4;

/** Whose images they are: ours, plain ones in `public/`, or files in `src/` that Astro optimises. */
type Kind = 'ours' | 'plain' | 'astro';

/**
 * A site of notes like a real one: Markdown in a layout with a few components.
 *
 * @param place a collection, or files in `src/pages`
 */
export async function makeNotes(
  { pages, assets, seed }: Notes,
  kind: Kind,
  place: 'collection' | 'pages' = 'collection',
): Promise<Site> {
  const inPages = place === 'pages';
  const site = await makeSite(
    inPages ? {} : { 'notes/[note].astro': route },
    kind === 'ours' ? 'ours' : 'default',
  );
  const words = makeWords(seed);
  const address = {
    ours: (id: number) => `media:${id}?width=300&densities=1`,
    plain: (id: number) => `/pictures/${id}.webp`,
    astro: pictureFile,
  }[kind];
  for (let number = 0; number < pages; number += 1) {
    const ids = Array.from(
      { length: assetsPerPage },
      (_, index) => 4711 + ((number * assetsPerPage + index) % assets),
    );
    const [first = 0] = ids;
    const hero = kind === 'astro' ? pictureFile(first) : first;
    const text = note({ number, ids, hero, words, address });
    await (inPages
      ? site.write(`src/pages/notes/note-${number}.md`, text.replace('---', `---\n${pageLayout}`))
      : site.write(`src/content/notes/note-${number}.md`, text));
  }
  for (const [path, text] of Object.entries(files)) await site.write(path, text);
  await site.write('src/components/Hero.astro', heroes[kind]);
  if (kind === 'astro') await site.write('src/content.config.ts', configWithImages);
  return site;
}

/** Gives a site of plain images the files that our site has published. */
export async function sharePictures(ours: Site, plain: Site): Promise<void> {
  await mkdir(plain.path('public/pictures'), { recursive: true });
  for (const file of await ours.files('dist/**/*.webp')) {
    const { id } = parseRenditionUrl(`/media-asset/${basename(file)}`) ?? {};
    await cp(ours.path(file), plain.path(`public/pictures/${id}.webp`));
  }
}

/** From a note. */
function pictureFile(id: number): string {
  return `../../pictures/${id}.jpg`;
}

function note({
  number,
  ids: [, ...shown],
  hero,
  words,
  address,
}: {
  number: number;
  ids: readonly number[];
  hero: number | string;
  words: (count: number) => string;
  address: (id: number) => string;
}): string {
  const parts = Array.from({ length: 12 }, (_, index) => {
    const id = index % 4 === 1 ? shown[(index - 1) / 4] : undefined;
    const picture = id === undefined ? '' : `![${alt(id)}](${address(id)})\n\n`;
    const list = index % 3 === 0 ? `- ${words(6)}\n- ${words(8)}\n- ${words(5)}\n\n` : '';
    return `## ${words(4)}\n\n${picture}${list}${words(60)}, *${words(2)}* and [${words(3)}](/notes/note-${index}/).\n\n${words(70)}: **${words(2)}**, \`${words(1)}\`.\n`;
  });
  return `---\ntitle: Note ${number}\nhero: ${hero}\n---\n\n${parts.join('\n')}`;
}

/** All kinds describe an image in the same words, with the values in its URL. */
function alt(id: number): string {
  return `Picture ${id}`;
}

const heroes: Readonly<Record<Kind, string>> = {
  ours: `---
import { MediaAsset } from 'astro-media-asset/components';
---
<MediaAsset id={Astro.props.id} alt={'Picture ' + Astro.props.id} width={300} densities={[1]} />
`,
  plain: `<img src={'/pictures/' + Astro.props.id + '.webp'} alt={'Picture ' + Astro.props.id} width="300" height="200" loading="lazy" />
`,
  astro: `---
import { Image } from 'astro:assets';
---
<Image src={Astro.props.id} alt="Picture" width={300} />
`,
};

const pageLayout = 'layout: ../../layouts/Page.astro';

const configWithImages = `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'astro/zod';

export const collections = {
  notes: defineCollection({
    loader: glob({ base: './src/content/notes', pattern: '*.md' }),
    schema: ({ image }) => z.object({ title: z.string(), hero: image() }),
  }),
};
`;

const files = {
  'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';

export const collections = {
  notes: defineCollection({ loader: glob({ base: './src/content/notes', pattern: '*.md' }) }),
};
`,
  'src/layouts/Layout.astro': `---
import Hero from '../components/Hero.astro';
import Links from '../components/Links.astro';

const { title, hero } = Astro.props;
---
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <link rel="canonical" href={Astro.url} />
    <title>{title} | Harbour</title>
    <meta property="og:title" content={title} />
    <style>main { max-width: 40rem; margin: auto }</style>
  </head>
  <body>
    <header><Links name="Main" count={12} /></header>
    <main><h1>{title}</h1><Hero id={hero} /><slot /></main>
    <footer><Links name="More" count={30} /></footer>
  </body>
</html>
`,
  'src/layouts/Page.astro': `---
import Layout from './Layout.astro';

const { title, hero } = Astro.props.frontmatter;
---
<Layout title={title} hero={hero}><slot /></Layout>
`,
  'src/components/Links.astro': `---
import Link from './Link.astro';

const { name, count } = Astro.props;
---
<nav aria-label={name}><ul>{Array.from({ length: count }, (_, index) => <Link number={index} />)}</ul></nav>
<style>ul { display: flex; gap: 1rem }</style>
`,
  'src/components/Link.astro': `---
const { number } = Astro.props;
const path = '/notes/note-' + number + '/';
---
<li><a href={path} aria-current={Astro.url.pathname === path ? 'page' : undefined}>Note {number}</a></li>
`,
};

const route = `---
import { getCollection, render } from 'astro:content';
import Layout from '../../layouts/Layout.astro';

export async function getStaticPaths() {
  const notes = await getCollection('notes');
  return notes.map((note) => ({ params: { note: note.id }, props: { note } }));
}

const { note } = Astro.props;
const { Content } = await render(note);
---
<Layout title={note.data.title} hero={note.data.hero}><Content /></Layout>
`;

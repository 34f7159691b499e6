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

/**
 * A site of notes like a real one: a collection of Markdown in a layout with a few components.
 *
 * @param kind `plain`: without the integration, with the images in `public/`
 */
export async function makeNotes(
  { pages, assets, seed }: Notes,
  kind: 'ours' | 'plain',
): Promise<Site> {
  const site = await makeSite(
    { 'notes/[note].astro': route },
    kind === 'ours' ? 'ours' : 'default',
  );
  const words = makeWords(seed);
  const address = (id: number) =>
    kind === 'ours' ? `media:${id}?width=300&densities=1` : `/pictures/${id}.jpg`;
  for (let number = 0; number < pages; number += 1) {
    const ids = Array.from(
      { length: assetsPerPage },
      (_, index) => 4711 + ((number * assetsPerPage + index) % assets),
    );
    await site.write(`src/content/notes/note-${number}.md`, note({ number, ids, words, address }));
  }
  for (const [path, text] of Object.entries(files)) await site.write(path, text);
  await site.write('src/components/Hero.astro', kind === 'ours' ? ourHero : plainHero);
  return site;
}

function note({
  number,
  ids: [hero = 0, ...shown],
  words,
  address,
}: {
  number: number;
  ids: readonly number[];
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

/** Both kinds describe an image in the same words, with the values in its URL. */
function alt(id: number): string {
  return `Picture ${id}`;
}

const ourHero = `---
import { MediaAsset } from 'astro-media-asset/components';
---
<MediaAsset id={Astro.props.id} alt={'Picture ' + Astro.props.id} width={300} densities={[1]} />
`;

const plainHero = `<img src={'/pictures/' + Astro.props.id + '.jpg'} alt={'Picture ' + Astro.props.id} width="300" height="200" loading="lazy" />
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

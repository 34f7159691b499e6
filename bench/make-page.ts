import type { PageUsage } from '../src/scan/manifest.ts';
import { seededRandom } from '../test/support/bends/faults/seeded-random.ts';
import { makeWords, words } from './make-words.ts';

/** A page like Astro's, and the expected result of its scan. */
export interface MadePage {
  readonly html: string;
  readonly assets: PageUsage['assets'];
}

export interface PageKind {
  readonly seed: number;
  /** Whether its images are assets of the service. Otherwise they are Astro's own. */
  readonly marked: boolean;
}

/** In characters, which are single bytes here. */
const pageLength = 20_000;
const imagesPerPage = 4;
const widths = [640, 828, 1280, 1668, 2560];

/** The relative URL of a page's file in its folder, with `/` between its parts. */
export function pageFile(number: number): string {
  return `notes/${number % 100}/${words[number % 20]}-${number}/index.html`;
}

/** Creates pages of 20 kB. The same seed and number give the same page. */
export function pageMaker({ seed, marked }: PageKind): (number: number) => MadePage {
  const paragraphs = makeParagraphs(seed);
  return (number) => {
    const random = seededRandom(seed, number + 1);
    const some = (count: number): number => Math.floor(random() * count);
    const pictures = Array.from({ length: imagesPerPage }, () => 4711 + some(500));
    const hero = pictures[0] ?? 0;
    const title = `${words[number % 20]} &amp; ${words[some(20)]} ${number}`;

    const parts = [head({ title, image: imageUrl(hero, 1280, 'jpeg', marked) })];
    let length = parts.join('').length + foot.length;
    for (let index = 0; length < pageLength; index += 1) {
      const id = index % 3 === 0 ? pictures[index / 3] : undefined;
      const paragraph = paragraphs[some(paragraphs.length)] ?? '';
      const part = id === undefined ? paragraph : figure(id, marked) + paragraph;
      parts.push(part);
      length += part.length;
    }
    parts.push(foot);
    return {
      html: parts.join(''),
      assets: marked ? [...new Set(pictures)].sort((a, b) => a - b) : [],
    };
  };
}

function head({ title, image }: { title: string; image: string }): string {
  const data = { '@context': 'https://schema.org', '@type': 'Article', headline: title, image };
  return `<!DOCTYPE html><html lang="en"> <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" type="image/svg+xml" href="/favicon.svg"><meta name="generator" content="Astro v7.3.5"><link rel="canonical" href="https://harbour.example/notes/"><title>${title} | Harbour</title><meta name="description" content="Notes from the quay &mdash; boats, tides &amp; lamps."><meta property="og:title" content="${title}"><meta property="og:image" content="${image}"><meta name="twitter:card" content="summary_large_image"><script type="application/ld+json">${JSON.stringify(data)}</script><link rel="stylesheet" href="/_astro/site.css"><style>${inlineStyle}</style><script type="module">${inlineScript}</script></head> <body data-astro-cid-sckkx6r4> <header class="site" data-astro-cid-sckkx6r4><a href="#main" class="skip">Skip to content</a><nav aria-label="Main"><ul>${navigation}</ul></nav></header> <main id="main"><article class="prose"><h1>${title}</h1>`;
}

function figure(id: number, marked: boolean): string {
  const srcset = (format: string): string =>
    widths.map((width) => `${imageUrl(id, width, format, marked)} ${width}w`).join(', ');
  const mark = marked ? `data-media-asset="${id}" data-media-asset-layout="constrained" ` : '';
  const sizes = 'sizes="(min-width: 1280px) 1280px, 100vw"';
  return `<figure class="wide" data-astro-cid-7nq4hsyx><picture><source srcset="${srcset('webp')}" type="image/webp" ${sizes} width="1280" height="853"><img ${mark}src="${imageUrl(id, 1280, 'jpeg', marked)}" srcset="${srcset('jpeg')}" ${sizes} alt="A boat at the quay, &quot;Gull&quot;" width="1280" height="853" loading="lazy" decoding="async"></picture><figcaption>At the quay &copy; Harbour</figcaption></figure>`;
}

function imageUrl(id: number, width: number, format: string, marked: boolean): string {
  const hash = (id * 2654435761 + width).toString(16).padStart(16, '0');
  return marked
    ? `https://harbour.example/_astro/media-asset/${id}-${hash}-${hash}-boat-at-the-quay.${format}`
    : `https://harbour.example/_astro/boat-at-the-quay.${hash}_${hash}.${format}`;
}

function makeParagraphs(seed: number): string[] {
  const random = seededRandom(seed, 0);
  const some = (count: number): number => Math.floor(random() * count);
  const text = makeWords(seed);
  return Array.from({ length: 200 }, (_, index) => {
    if (index % 7 === 0) return `<h2 id="part-${index}">${text(4)}</h2>\n`;
    if (index % 11 === 0) {
      return `<ul>${Array.from({ length: 5 }, () => `<li>${text(9)}</li>`).join('\n')}</ul>\n`;
    }
    return `<p>${text(40)} <a href="/notes/${some(100)}/">${text(3)}</a>, <em>${text(2)}</em> &ndash; ${text(30)} <code>${text(1)}</code>. ${text(25)}&hellip;</p>\n`;
  });
}

const navigation = Array.from(
  { length: 12 },
  (_, index) =>
    `<li><a href="/notes/${index}/" class="link" data-n="${index}">${words[index]}</a></li>`,
).join('');
const inlineStyle = Array.from(
  { length: 20 },
  (_, index) =>
    `.${words[index]}[data-astro-cid-sckkx6r4]{margin:0 auto;padding:${index}px;color:var(--ink);background:url(/_astro/grain.svg)}`,
).join('');
const inlineScript =
  'const s="<p>not a page</p>";document.querySelectorAll("a").forEach((a)=>{if(a.host!==location.host&&1<2)a.rel="noopener"});';
const foot = `</article></main> <footer data-astro-cid-sckkx6r4><nav aria-label="More"><ul>${navigation}</ul></nav><p>&copy; 2026 Harbour</p></footer> <script type="module" src="/_astro/page.js"></script></body></html>`;

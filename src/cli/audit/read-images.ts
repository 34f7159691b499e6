import { Parser } from 'htmlparser2';
import { readIds } from '../../scan/extract/asset-url.ts';
import { srcsetUrls } from '../../scan/extract/element-urls.ts';

/** An `<img>` as a page has it, with the sources of its `<picture>`. */
export interface PageImage {
  /** The IDs in `data-media-asset`. */
  readonly marked: readonly number[];
  /** If there's none, the URLs of its files, as written. */
  readonly urls: readonly string[];
  /** `''` for decoration; `undefined` if it's missing. */
  readonly alt: string | undefined;
  /** Whether screen readers skip it, or take its text from elsewhere. */
  readonly needsNoAlt: boolean;
  /** `lang` of the nearest element that has one. */
  readonly language: string | undefined;
  /** On a wide screen, in layout pixels; `undefined` if the page doesn't say it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The URL of the file that a browser takes there, with a device pixel for each layout pixel. */
  readonly file: string;
}

type Attributes = Readonly<Record<string, string>>;

/** The ID of an item in a list of credits starts with this, and ends with the asset's. */
export const listItem = 'media-credit-';

const silent = new Set(['noscript', 'script', 'style', 'template', 'title']);

/**
 * Reads the images of a page, its visible text, and the IDs of the assets in its labels and its lists of
 * credits. The scan decides which assets the page shows, so this needn't nest elements as exactly as a
 * browser: a parser would take five times as long.
 */
export function readImages(html: string) {
  const images: PageImage[] = [];
  const labelled: number[] = [];
  const listed: number[] = [];
  const texts: string[] = [];
  const open: { name: string; language: string | undefined; isSilent: boolean }[] = [];
  let sources: Attributes[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const around = open.at(-1);
      const language = (attributes.lang ?? around?.language)?.trim() || undefined;
      open.push({ name, language, isSilent: around?.isSilent || silent.has(name) });
      texts.push(' ');
      const { id, 'data-media-asset-label': label } = attributes;
      if (label) labelled.push(...readIds(label).ids);
      if (id?.startsWith(listItem)) listed.push(...readIds(id.slice(listItem.length)).ids);
      if (name === 'picture') sources = [];
      if (name === 'source') sources.push(attributes);
      if (name !== 'img') return;
      images.push(toImage(attributes, around?.name === 'picture' ? sources : [], language));
    },
    ontext(text) {
      if (!open.at(-1)?.isSilent) texts.push(text);
    },
    onclosetag() {
      open.pop();
      texts.push(' ');
    },
  });
  parser.end(html);
  return { images, text: texts.join(''), labelled, listed };
}

function toImage(
  image: Attributes,
  sources: readonly Attributes[],
  language: string | undefined,
): PageImage {
  // Those with `media` are for other screens.
  const { srcset = '', sizes } = sources.find(({ media }) => !media) ?? image;
  const [own = 0, high = 0] = [image.width, image.height].map((side = '') =>
    /^\d{1,6}(?:\.\d+)?$/.test(side) ? Number(side) : 0,
  );
  const width = (wideWidth(sizes) ?? own) || undefined;
  const marked = readIds(image['data-media-asset'] ?? '').ids;
  const sets = marked.length > 0 ? [] : [image, ...sources].map((one) => one.srcset ?? '');
  return {
    marked,
    urls: [image.src ?? '', ...sets.flatMap(srcsetUrls)],
    alt: image.alt?.replace(/\s+/g, ' ').trim(),
    needsNoAlt:
      /^(?:none|presentation)$/.test(image.role ?? '') ||
      image['aria-hidden'] === 'true' ||
      Boolean(image['aria-label'] || image['aria-labelledby']),
    language,
    width,
    height: (width && own && Math.round((width * high) / own)) || undefined,
    file: fileFor(srcset, width) ?? image.src ?? '',
  };
}

/** The width on a wide screen: that of the first `min-width`, or else the last one. */
function wideWidth(sizes = ''): number | undefined {
  const entries = sizes.split(/,(?![^(]{0,1000}\))/);
  const entry = entries.find((one) => one.includes('min-width')) ?? entries.at(-1);
  const [, value, unit = ''] = /(?:^|\s)([\d.]{1,9})(px|r?em|vw)\s*$/.exec(entry ?? '') ?? [];
  // In pixels, on a screen of 1440.
  const pixels = { px: 1, em: 16, rem: 16, vw: 14.4 }[unit];
  return pixels && Number(value) * pixels;
}

/**
 * The smallest file that's as wide as the image, or the largest; `undefined` without descriptors. An
 * inlined image can have many thousand characters.
 */
function fileFor(srcset: string, width = 1): string | undefined {
  const listed = Array.from(
    srcset.matchAll(/(?<![^\s,])([^\s,]\S{0,2000})\s+([\d.]{1,12})([wx])/g),
    ([, url, value, unit]) => ({ url, density: Number(value) / (unit === 'w' ? width : 1) }),
  ).sort((one, other) => one.density - other.density);
  return (listed.find(({ density }) => density >= 1) ?? listed.at(-1))?.url;
}

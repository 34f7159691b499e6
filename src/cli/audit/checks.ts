import type { AuditedImage } from './audit-pages.ts';

/** What to show of an image with the problem; `false` without it, `undefined` if that isn't known. */
type Find = (image: ImageOnSite) => string | false | undefined;
type ImageOnSite = ReturnType<typeof countOnSite>[number];

/** In characters. */
const longestAlt = 250;

/** The digital source types of generative AI, whole or in part. */
const generated = /^(?:trained|compositeWithTrained)AlgorithmicMedia$|^compositeSynthetic$/;

/** What each check finds, for people, and how. */
export const checks = {
  'alt-missing': [
    'There is no alt text. Decoration needs an empty one.',
    ({ as, alt, needsNoAlt }) => as === 'image' && alt === undefined && !needsNoAlt && '',
  ],
  'alt-is-file-name': [
    'The alt text is a file name.',
    ofAlt((alt, { name }) => fileNames.test(alt) || (alt === name && isOneWord.test(alt))),
  ],
  'alt-starts-with-image-of': [
    "The alt text says that it's an image. Screen readers say that already.",
    ofAlt((alt) => imageOf.some((start) => start.test(alt))),
  ],
  'alt-repeated': [
    'Different images have the same alt text.',
    ofAlt((_, { withAlt }) => withAlt.size > 1),
  ],
  'alt-too-long': [
    `The alt text has more than ${longestAlt} characters.`,
    ofAlt((alt) => [...alt].length > longestAlt),
  ],
  'alt-same-in-two-languages': [
    'The image has the same alt text in two languages.',
    ofAlt((_, { languages }) => languages.size > 1),
  ],
  'missing-credit': [
    "The page doesn't say who made the image.",
    ({ as, credit, credited }) => {
      if (as === 'file' || credited) return false;
      return credited === undefined ? undefined : credit || 'the record has no credit';
    },
  ],
  'rights-forbidden': ['The site may not show the image.', ofRights('forbidden')],
  'rights-end-soon': ['The site may not show the image for long.', ofRights('ending')],
  'rights-unknown': ["The record doesn't say whether the site may show it.", ofRights('unknown')],
  'generated-without-label': [
    "The page doesn't say that the image was generated.",
    ({ as, origin, labelled }) => {
      if (as === 'file' || labelled) return false;
      return origin === undefined ? undefined : generated.test(origin) && origin;
    },
  ],
} satisfies Record<string, readonly [finds: string, find: Find]>;

export type CheckName = keyof typeof checks;
export const checkNames = Object.keys(checks) as CheckName[];

export interface CheckedImage extends AuditedImage {
  readonly problems: readonly CheckName[];
  /** What to show of each. */
  readonly details: Readonly<Partial<Record<CheckName, string>>>;
  /** The checks that lack something. */
  readonly unchecked: readonly CheckName[];
}

export function checkImages(images: readonly AuditedImage[]): CheckedImage[] {
  return countOnSite(images).map((image) => {
    const found = checkNames.map((name) => [name, checks[name][1](image)] as const);
    const details = Object.fromEntries(found.filter(([, shown]) => typeof shown === 'string'));
    const problems = checkNames.filter((name) => name in details);
    const unchecked = found.flatMap(([name, shown]) => (shown === undefined ? name : []));
    return { ...image, problems, details, unchecked };
  });
}

/** Adds what an image alone can't say: the images with its alt text, and their languages. */
function countOnSite(images: readonly AuditedImage[]) {
  const sets = new Map<string, Set<unknown>>();
  const add = (key: string, value: unknown) => {
    const values = (sets.get(key) ?? new Set()).add(value);
    sets.set(key, values);
    return values;
  };
  return images.map((image) => {
    const { id, alt = '', language } = image;
    const text = alt.toLowerCase();
    return {
      ...image,
      withAlt: add(`alt ${text}`, id),
      languages: add(language ? `${id} ${text}` : '', language?.toLowerCase().split('-')[0]),
    };
  });
}

/** Images without an alt text pass, and so does decoration. */
function ofAlt(isWrong: (alt: string, image: ImageOnSite) => boolean): Find {
  return (image) => !!image.alt && isWrong(image.alt, image) && image.alt;
}

function ofRights(state: AuditedImage['rights']): Find {
  return ({ rights, until = '' }) => (rights === undefined ? undefined : rights === state && until);
}

/** A name with an extension, that of a camera's file, or words joined by underscores. */
const fileNames =
  /\.(?:avif|bmp|gif|hei[cf]|jpe?g|pdf|png|psd|svg|tiff?|webp)$|^(?:bild|dsc[fn]?|foto|gopr|image|img|photo|pxl|scan|screenshot)[-_ ]?\d{3}[-_\d() ]*$|^\d{5}[-_\d() ]*$|^(?=[\w.-]+$).*?[a-z\d]_/i;
const isOneWord = /^(?=\S+$).*?[-\d]/;

/** By language. In no other language does a description start so. */
const imageOf = Object.values({
  en: /^(?:an? |the )?(?:image|picture|photo|photograph|graphic)s? of\s/i,
  de: /^(?:eine? |das )?(?:bild|foto|abbildung|grafik) (?:von|vom|eine[rs])\s/i,
  fr: /^(?:une? |l['’]|la )?(?:image|photo|photographie) (?:d(?:es?|u)\s|d['’])/i,
  es: /^(?:una? |la )?(?:imagen|foto|fotografía) del?\s/i,
  it: /^(?:un['’]|una |l['’]|la )?(?:immagine|foto|fotografia) (?:d(?:i|el|ella)\s|d['’])/i,
  pt: /^(?:uma? |a )?(?:imagem|foto|fotografia) d[aeo]\s/i,
  nl: /^(?:een |de )?(?:afbeelding|foto) van\s/i,
  'da, nb, sv': /^(?:ett? )?(?:bilde?|billede|foto) (?:a[fv]|på)\s/i,
});

/** Formats that a raster image can be published in. */
export const renditionFormats = ['webp', 'avif', 'jpeg', 'png', 'gif'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];
/** All output formats. SVGs are only published as SVG. */
export const outputFormats = [...renditionFormats, 'svg'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Shown until the image has loaded. */
export const placeholders = ['blur', 'color', 'none'] as const;
export type Placeholder = (typeof placeholders)[number];

interface FormatFacts {
  /** The most pixels of a side that this machine's encoders support. */
  readonly longestSide: number;
  readonly animates?: true;
  readonly defaultQuality?: number;
  /** The range that sharp accepts, and our default. */
  readonly effort?: { readonly least: number; readonly most: number; readonly default: number };
}

export const formatFacts: Readonly<Record<OutputFormat, FormatFacts>> = {
  webp: {
    longestSide: 16_383,
    animates: true,
    defaultQuality: 80,
    effort: { least: 0, most: 6, default: 4 },
  },
  avif: {
    longestSide: 16_384,
    // As good as WebP at 80, with a quarter to a third fewer bytes: bench/ENCODERS.md.
    defaultQuality: 56,
    // At 4, sharp's default, encoding takes five times as long for 5 to 9 % fewer bytes.
    effort: { least: 0, most: 9, default: 3 },
  },
  // 72 is as good as WebP at 80. Few browsers load a JPEG, and feeds and social networks encode it again.
  jpeg: { longestSide: 65_500, defaultQuality: 80 },
  png: { longestSide: 65_535 },
  gif: { longestSide: 65_535, animates: true, effort: { least: 1, most: 10, default: 7 } },
  svg: { longestSide: Number.POSITIVE_INFINITY, animates: true },
};

export function contentTypeOf(format: OutputFormat | 'tiff'): string {
  return `image/${format === 'svg' ? 'svg+xml' : format}`;
}

/** Astro's words for qualities, with the numbers of its own image service. */
export const qualityWords = { low: 25, mid: 50, high: 80, max: 100 } as const;
export type QualityWord = keyof typeof qualityWords;

/** Astro's words for a quality, with the numbers of its own image service. */
export const qualityWords = { low: 25, mid: 50, high: 80, max: 100 } as const;
export type QualityWord = keyof typeof qualityWords;

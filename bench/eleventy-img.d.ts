/** What the bench uses of the peer, which has no types of its own. */
declare module '@11ty/eleventy-img' {
  export default function image(
    file: string,
    options: {
      widths: number[];
      formats: string[];
      outputDir: string;
      useCache: boolean;
      sharpAvifOptions: { quality: number };
      sharpWebpOptions: { quality: number };
      sharpJpegOptions: { quality: number; progressive: boolean };
    },
  ): Promise<unknown>;
}

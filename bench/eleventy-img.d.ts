/** The part of the peer that the bench uses, because the peer has no types. */
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

import { z } from 'zod';

/** How originals and custom formats are answered. */
export const downloadSettings = {
  /**
   * Validators that downloads carry.
   * @default 'both'
   */
  validators: z
    .enum(['etag', 'last-modified', 'both', 'none'])
    .default('both')
    .describe('validators that downloads carry'),
  /**
   * Downloads are answered without a token, as behind a public gateway.
   * @default false
   */
  openDownloads: z.boolean().default(false).describe('answer downloads without a token'),
  /**
   * Answer to a download: its bytes; a redirect to the second host, whose addresses are signed and
   * take no token; JSON with that address as `url`.
   * @default 'bytes'
   */
  downloads: z
    .enum(['bytes', 'redirect', 'json'])
    .default('bytes')
    .describe('answer to a download: its bytes, or where they are'),
  /**
   * What `w` and `h` of a custom format mean: the size of the crop; or the size of the answer, the
   * crop being said by its other corner, `x2` and `y2`, or else reaching to the picture's end. Both
   * corners then refer to a picture of the size `sw`, `sh`, or else to the picture as it is.
   * @default 'size'
   */
  customFormat: z
    .enum(['size', 'corners'])
    .default('size')
    .describe("w and h of a custom format: the crop's size, or with corners the answer's"),
  /**
   * The pixels that a crop counts: as displayed, after EXIF orientation, or as stored, before it.
   * @default 'displayed'
   */
  cropPixels: z
    .enum(['displayed', 'stored'])
    .default('displayed')
    .describe('pixels that a crop counts: after or before EXIF orientation'),
  /**
   * A crop that reaches outside its picture is refused, or made smaller.
   * @default 'refused'
   */
  cropOutside: z
    .enum(['refused', 'clamped'])
    .default('refused')
    .describe('what becomes of a crop that reaches outside its picture'),
};

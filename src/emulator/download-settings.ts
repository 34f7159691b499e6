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
};

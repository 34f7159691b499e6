import * as z from 'zod';
import { count, oneOf } from './option-values.ts';

export const filesSchema = z.strictObject({
  /**
   * Kinds that are not published otherwise: `html`, `svg`, `xml` and `script`, because a browser runs
   * them with the rights of the site's own pages; `picture`, because its file holds places and names.
   * @default []
   */
  allow: z
    .array(oneOf(['html', 'svg', 'xml', 'script', 'picture']), {
      error: 'expected a list of kinds',
    })
    .default([]),
  /** The largest file, in bytes; `service.maxDownloadBytes` holds as well. @default `service.maxDownloadBytes` */
  maxBytes: count(1, 2 ** 40).optional(),
});

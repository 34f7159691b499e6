import type { CustomFormatParameters } from '../service/media-service.ts';
import type { Rectangle } from './rendition.ts';

/** Writes the query of a crop's custom format. */
export type ToCustomFormat = (crop: Rectangle) => CustomFormatParameters;

/**
 * The queries of a crop's custom format (section 4). What `w` and `h` mean is not shown: with
 * `size` they are the crop's own size, and nothing else is sent; with `corners` they are the size
 * of the answer, and `x2`, `y2` (the first pixels outside) and `sw`, `sh` say the crop.
 */
export const customFormats = {
  size: ({ x, y, width, height }) => ({ x1: x, y1: y, w: width, h: height }),
  corners: ({ x, y, width, height }) => ({
    x1: x,
    y1: y,
    x2: x + width,
    y2: y + height,
    sw: width,
    sh: height,
    w: width,
    h: height,
  }),
} satisfies Record<string, ToCustomFormat>;

import type { CustomFormatParameters } from '../../service/requests.ts';
import type { Rectangle, Size } from './rectangle.ts';

/** Returns the query of a crop's custom format. Both are in pixels of the original as displayed. */
export type ToCustomFormat = (crop: Rectangle, image: Size) => CustomFormatParameters;

/**
 * The queries of a crop's custom format (section 4). With `size`, `w` and `h` are the crop's size. With
 * `corners` they are the output's, `x2` and `y2` the first pixels outside, and `sw` and `sh` the original's.
 * The interface doesn't say which, and there are services of both kinds.
 */
export const customFormats = {
  size: ({ x, y, width, height }) => ({ x1: x, y1: y, w: width, h: height }),
  corners: ({ x, y, width, height }, image) => ({
    x1: x,
    y1: y,
    x2: x + width,
    y2: y + height,
    sw: image.width,
    sh: image.height,
    w: width,
    h: height,
  }),
} satisfies Record<string, ToCustomFormat>;

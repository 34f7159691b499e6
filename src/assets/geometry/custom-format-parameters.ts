import type { CustomFormatParameters } from '../../service/requests.ts';
import type { Rectangle, Size } from '../formats/rendition.ts';

/** Returns the query of a crop's custom format. Both are in pixels of the original as displayed. */
export type ToCustomFormat = (crop: Rectangle, image: Size) => CustomFormatParameters;

/**
 * The queries of a crop's custom format (section 4). The interface doesn't show what `w` and `h`
 * mean. With `size` they are the crop's own size, and nothing else is sent. With `corners` they are
 * the output size; `x2` and `y2` (the first pixels outside) are the crop's other corner, and `sw` and
 * `sh` the size of the original. Services in the wild read them so.
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

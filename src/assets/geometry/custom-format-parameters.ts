import type { CustomFormatParameters } from '../../service/types.ts';
import type { Rectangle, Size } from '../formats/rendition.ts';

/**
 * Writes the query of a crop's custom format.
 *
 * @param crop in pixels of the original
 * @param picture the original's size as displayed, in pixels. A query that does not read it needs no
 * original
 */
export type ToCustomFormat = (crop: Rectangle, picture: Size) => CustomFormatParameters;

/**
 * The queries of a crop's custom format (section 4). What `w` and `h` mean is not shown: with
 * `size` they are the crop's own size, and nothing else is sent; with `corners` they are the size
 * of the answer. Then `x2`, `y2` (the first pixels outside) are the crop's other corner, and `sw`,
 * `sh` the size of the picture that the corners refer to, as services in the wild read them.
 */
export const customFormats = {
  size: ({ x, y, width, height }) => ({ x1: x, y1: y, w: width, h: height }),
  corners: ({ x, y, width, height }, picture) => ({
    x1: x,
    y1: y,
    x2: x + width,
    y2: y + height,
    sw: picture.width,
    sh: picture.height,
    w: width,
    h: height,
  }),
} satisfies Record<string, ToCustomFormat>;

/** The query of a crop where it is the same for pictures of every size; else `undefined`. */
export function parametersOfAnyPicture(
  toCustomFormat: ToCustomFormat,
  crop: Rectangle,
): CustomFormatParameters | undefined {
  let isRead = false;
  const read = (side: number) => {
    isRead = true;
    return side;
  };
  const smallest = {
    get width() {
      return read(crop.x + crop.width);
    },
    get height() {
      return read(crop.y + crop.height);
    },
  };
  try {
    const parameters = toCustomFormat(crop, smallest);
    return isRead ? undefined : parameters;
  } catch (error) {
    // A function of the site's may find such a picture too small.
    if (isRead) return undefined;
    throw error;
  }
}

import type { CustomFormatParameters } from '../service/media-service.ts';
import type { Rectangle } from './rendition.ts';

/** The query of a crop's custom format (section 4): its corner, and the crop's own size. */
export function customFormatParameters({ x, y, width, height }: Rectangle): CustomFormatParameters {
  return { x1: x, y1: y, w: width, h: height };
}

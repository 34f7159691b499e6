import { type Layer, renderSvg, type Size } from './layer.ts';
import { verticalGradient } from './shapes.ts';

/** A veil over the water below a row, that deepens towards the viewer. */
export async function tintWater(
  size: Size,
  tint: {
    readonly waterline: number;
    readonly far: string;
    readonly near: string;
    readonly strength: readonly [number, number];
  },
): Promise<Layer> {
  const { waterline, far, near, strength } = tint;
  return renderSvg(
    size,
    `<defs>${verticalGradient('t', [
      { at: 0, colour: far, opacity: strength[0] },
      { at: 1, colour: near, opacity: strength[1] },
    ])}</defs>
    <rect y="${waterline}" width="${size.width}" height="${size.height - waterline}" fill="url(#t)"/>`,
  );
}

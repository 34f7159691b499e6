import type { Layer } from './layer.ts';
import { createNoise, layerNoise } from './noise.ts';

export interface Reflection {
  /** The row where the thing meets the water, in pixels from the top. */
  readonly waterline: number;
  readonly seed: number;
  /** How far ripples push the mirrored picture about, in pixels at the lower edge. */
  readonly ripple: number;
  /** Height of the mirrored picture to that of the thing. */
  readonly stretch?: number;
  /** Opacity at the waterline and at the lower edge of the picture, 0 to 1. */
  readonly fade?: readonly [number, number];
  /** What the ripples add to and take from the brightness, 0 to 255. */
  readonly shimmer?: number;
}

/**
 * What rippled water below the waterline mirrors of a layer. Waves grow towards the viewer, as in
 * perspective; two reflections with one seed ripple together.
 */
export function reflect(layer: Layer, reflection: Reflection): Layer {
  const { width, height } = layer;
  const { waterline, ripple, stretch = 1, fade = [1, 1], shimmer = 0, seed } = reflection;
  const waves = layerNoise(createNoise(seed), 3);
  const data = new Uint8Array(width * height * 4);
  const depth = height - waterline;
  for (let y = waterline; y < height; y += 1) {
    const below = y - waterline;
    const nearness = below / depth;
    const row = 26 * Math.log1p(below / 26);
    const wavelength = 14 + 210 * nearness;
    const opacity = fade[0] + (fade[1] - fade[0]) * nearness;
    const push = ripple * (0.06 + nearness);
    for (let x = 0; x < width; x += 1) {
      const wave = waves(x / wavelength, row * 0.42);
      const sourceX = clamp(Math.round(x + wave * push), width - 1);
      const sourceY = clamp(
        Math.round(waterline - 1 - below / stretch - Math.abs(wave) * push * 0.8),
        waterline - 1,
      );
      copyPixel({
        from: layer.data,
        to: data,
        source: (sourceY * width + sourceX) * 4,
        target: (y * width + x) * 4,
        light: wave * shimmer,
        opacity,
      });
    }
  }
  return { width, height, data };
}

function copyPixel(copy: {
  from: Uint8Array;
  to: Uint8Array;
  source: number;
  target: number;
  light: number;
  opacity: number;
}): void {
  const { from, to, source, target, light, opacity } = copy;
  for (let channel = 0; channel < 3; channel += 1) {
    to[target + channel] = clamp((from[source + channel] ?? 0) + light, 255);
  }
  to[target + 3] = (from[source + 3] ?? 0) * opacity;
}

function clamp(value: number, high: number): number {
  return Math.max(0, Math.min(high, value));
}

import { readColour } from './colour.ts';
import { enlarge, type Layer, type Size } from './layer.ts';
import { createNoise, layerNoise } from './noise.ts';

export interface Clouds {
  readonly seed: number;
  readonly colour: string;
  /** Width and height of a typical cloud, in pixels. */
  readonly grain: readonly [number, number];
  /** Which part of the sky is covered, 0 to 1. */
  readonly cover: number;
  /** Opacity of the densest part, 0 to 1. */
  readonly density: number;
  /** The rows from which to which there are clouds; they thin out towards both. */
  readonly band: readonly [number, number];
  /** How hard the edges are: 1 is mist, 8 a cut-out. */
  readonly edge?: number;
}

const reduction = 4;

/** Clouds, mist or smoke of one colour. */
export async function drawClouds(size: Size, clouds: Clouds): Promise<Layer> {
  const small = {
    width: Math.ceil(size.width / reduction),
    height: Math.ceil(size.height / reduction),
  };
  const noise = layerNoise(createNoise(clouds.seed), 5);
  const [red, green, blue] = readColour(clouds.colour);
  const [top, bottom] = clouds.band;
  const { edge = 2 } = clouds;
  const data = new Uint8Array(small.width * small.height * 4);
  for (let y = 0; y < small.height; y += 1) {
    const height = (y * reduction - top) / (bottom - top);
    const band = height <= 0 || height >= 1 ? 0 : Math.sin(Math.PI * height) ** 0.7;
    for (let x = 0; x < small.width; x += 1) {
      const value = noise((x * reduction) / clouds.grain[0], (y * reduction) / clouds.grain[1]);
      const thick = (value + 2 * clouds.cover - 1) * edge;
      const alpha = Math.min(1, Math.max(0, thick)) * band * clouds.density;
      data.set([red, green, blue, alpha * 255], (y * small.width + x) * 4);
    }
  }
  return enlarge({ ...small, data }, size);
}

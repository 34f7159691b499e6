import { drawGrid } from './grid.ts';
import { type Layer, renderSvg, stack } from './layer.ts';
import type { Random } from './random.ts';

export interface Finish {
  readonly random: Random;
  /** Spread of the paper's grain, in steps of brightness; 0 for none. */
  readonly grain: number;
  /** How dark the corners get, 0 to 1. */
  readonly vignette: number;
}

/** What every picture gets in the end: darker corners, the grain of printed paper, the grid. */
export async function finishPicture(picture: Layer, finish: Finish): Promise<Layer> {
  const shade = await renderSvg(
    picture,
    `<defs><radialGradient id="v" cx=".5" cy=".46" r=".78"><stop offset=".55" stop-color="#0a0f1a" stop-opacity="0"/><stop offset="1" stop-color="#0a0f1a" stop-opacity="${finish.vignette}"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="url(#v)"/>`,
  );
  const shaded = await stack(picture, shade);
  if (finish.grain > 0) addGrain(shaded, finish);
  return stack(shaded, await renderSvg(picture, drawGrid(picture)));
}

const tile = 512;

/** Adds brightness noise in place, from a tile that repeats every 512 pixels. */
function addGrain(layer: Layer, { random, grain }: Finish): void {
  const noise = Float32Array.from(
    { length: tile * tile },
    () => (random.next() + random.next() + random.next() - 1.5) * 2 * grain,
  );
  const { width, height, data } = layer;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const light = noise[(y % tile) * tile + (x % tile)] ?? 0;
      const pixel = (y * width + x) * 4;
      for (let channel = pixel; channel < pixel + 3; channel += 1) {
        data[channel] = Math.max(0, Math.min(255, (data[channel] ?? 0) + light));
      }
    }
  }
}

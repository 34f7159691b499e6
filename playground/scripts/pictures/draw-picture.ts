import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Picture } from './catalogue.ts';
import { finishPicture } from './kit/finish.ts';
import { type Layer, rawShape } from './kit/layer.ts';
import { createRandom } from './kit/random.ts';

/** Draws one picture into a file: the same bytes each time with one version of sharp. */
export async function drawPicture(picture: Picture, file: string): Promise<void> {
  const { width, height, vignette = 0.3 } = picture;
  const grain = isPng(picture) ? 0 : (picture.grain ?? 4);
  const random = createRandom(picture.path);
  const drawn = await picture.draw({ width, height }, random);
  const finished = await finishPicture(drawn, { random, grain, vignette });
  await mkdir(dirname(file), { recursive: true });
  // The emulator passes over names with a leading dot: half a picture must not take an id.
  const unfinished = join(dirname(file), `.${basename(file)}.unfinished`);
  try {
    await encode(picture, finished).toFile(unfinished);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function encode(picture: Picture, { data, ...size }: Layer): Sharp {
  const pixels = sharp(data, { raw: rawShape(size) }).removeAlpha();
  if (isPng(picture)) {
    return pixels.png({ palette: true, colours: 128, effort: 4, dither: 0.6 });
  }
  const jpeg = { quality: 80, chromaSubsampling: '4:2:0' };
  return picture.sideways
    ? pixels.rotate(270).withMetadata({ orientation: 6 }).jpeg(jpeg)
    : pixels.jpeg(jpeg);
}

function isPng({ path }: Picture): boolean {
  return path.endsWith('.png');
}

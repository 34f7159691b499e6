import { join } from 'node:path';
import sharp from 'sharp';
import { vp8Frame } from './vp8-frame.ts';
import { writeWebm } from './write-webm.ts';

const size = { width: 640, height: 360, framesPerSecond: 15 };
const frames = 90;

/** Six seconds along the horizon of the picture of dawn, which is drawn already. */
export async function drawFilm(mediaFolder: string): Promise<Buffer> {
  const { data, info } = await sharp(join(mediaFolder, 'harbour/dawn.jpg'))
    .resize({ width: 1280 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const drawn: Buffer[] = [];
  for (let frame = 0; frame < frames; frame += 1) {
    const left = Math.round((frame * (info.width - size.width)) / (frames - 1));
    const top = Math.round((info.height - size.height) / 2);
    const picture = sharp(data, { raw }).extract({ ...size, left, top });
    drawn.push(vp8Frame(await picture.webp({ quality: 45, effort: 2 }).toBuffer()));
  }
  return writeWebm({ frames: drawn, ...size });
}

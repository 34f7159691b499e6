import sharp from 'sharp';
import { sideBySide, webp } from './encode.ts';
import type { Picture } from './picture.ts';

/** What visitors of the site and users of the service see. */
export const pagePictures: readonly Picture[] = [
  {
    name: 'overview',
    async walk({ open }, frame) {
      await frame(await open('site', '/', [900, 640]));
      await frame(await open('service', '/asset/4718', [900, 640]));
    },
    async files(shots) {
      const windows = await sideBySide(shots);
      return { 'overview.png': await windows.png({ palette: true, effort: 10 }).toBuffer() };
    },
  },
  {
    name: 'emulator',
    async walk({ open }, frame) {
      await frame(await open('service', '/asset/4718', [1280, 600]));
    },
    async files([shot]) {
      return {
        'emulator.png': await sharp(shot?.image).png({ palette: true, effort: 10 }).toBuffer(),
      };
    },
  },
  {
    name: 'gallery',
    async walk({ open }, frame) {
      await frame(await open('site', '/collection/', [390, 844, 2]));
      await frame(await open('site', '/collection/', [800, 1000]));
      await frame(await open('site', '/collection/', [1280, 900]));
    },
    async files(shots) {
      const names = ['gallery-390.webp', 'gallery-800.webp', 'gallery-1280.webp'];
      const files = shots.map(async (shot, index) => [names[index], await webp([shot])]);
      return Object.fromEntries(await Promise.all(files));
    },
  },
  {
    name: 'credits',
    async walk({ open }, frame) {
      await frame(await open('site', '/credits/', [1000, 700]));
    },
    files: async (shots) => ({ 'credits.webp': await webp(shots) }),
  },
];

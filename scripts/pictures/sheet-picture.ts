import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { startEmulatorProcess } from '../../test/support/service/emulator-process.ts';
import { createSite } from '../../test/support/site/site.ts';
import { webp } from './encode.ts';
import type { Picture } from './picture.ts';

const photographs = fileURLToPath(new URL('../../playground/media', import.meta.url));

/** Asset 4711 with a crop in pixels. */
const page = `---
import { MediaAsset } from 'astro-media-asset/components';
---
<html lang="en">
  <head><title>The harbour</title></head>
  <body>
    <MediaAsset id={4711} crop={{ x: 1200, y: 500, width: 1500, height: 1000 }} width={400} alt="The quay" />
  </body>
</html>
`;

/** A sheet of changed crops. It has a site and a service of its own, whose image changes. */
export const sheetPicture: Picture = {
  name: 'changed-crops',
  async walk({ browser }, frame) {
    const folder = await mkdtemp(join(tmpdir(), 'changed-crops-'));
    const media = join(folder, 'media');
    await mkdir(media);
    await cp(join(photographs, 'harbour/quay.jpg'), join(media, 'quay.jpg'));
    const service = await startEmulatorProcess({ media, data: join(folder, 'data') });
    const site = await createSite('bare', { sharedAstro: true });
    try {
      await site.write('src/pages/index.astro', page);
      const env = { ...service.env, MEDIA_ASSET_REPORT: 'never' };
      const build = async () => {
        const { exitCode, output } = await site.build(env);
        if (exitCode !== 0) throw new Error(output);
      };
      await build();
      const market = sharp(join(photographs, 'harbour/fish-market.jpg'));
      await market.resize(3200, 1800).toFile(join(media, 'quay.jpg'));
      await build();
      await site.command(env, 'crops');
      const viewport = { width: 1000, height: 900 };
      const sheet = await browser.open({ baseURL: service.url, viewport });
      await sheet.goto(pathToFileURL(site.path('.media-asset/crops.html')).href);
      await frame(sheet);
    } finally {
      await service.stop();
      await site.delete();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
  files: async (shots) => ({ 'changed-crops.webp': await webp(shots) }),
};

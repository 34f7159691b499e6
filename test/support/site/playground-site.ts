import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaFolder } from '../../../playground/scripts/processes/emulator.ts';
import { startEmulatorProcess } from '../service/emulator-process.ts';
import { type Site, siteIn } from './site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export type PlaygroundSite = Awaited<ReturnType<typeof openPlaygroundSite>>;

/**
 * Opens a copy of the playground, and a service with its images and files.
 *
 * @param port the service's port; default: a free one
 */
export async function openPlaygroundSite(port?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'playground-'));
  const emulator = await startEmulatorProcess({
    media: mediaFolder,
    data: join(folder, 'data'),
    ...(port !== undefined && { port }),
  });
  return {
    site: await copyPlayground(join(folder, 'site')),
    emulator,
    async close() {
      await emulator.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function copyPlayground(dir: string): Promise<Site> {
  for (const name of ['src', 'public', 'astro.config.ts', 'tsconfig.json']) {
    await cp(join(root, 'playground', name), join(dir, name), { recursive: true });
  }
  await writeFile(join(dir, 'package.json'), '{ "private": true, "type": "module" }\n');
  await mkdir(join(dir, 'node_modules'), { recursive: true });
  await symlink(root, join(dir, 'node_modules/astro-media-asset'), 'junction');
  await symlink(join(root, 'node_modules/astro'), join(dir, 'node_modules/astro'), 'junction');
  return siteIn(dir, { sharedAstro: true });
}

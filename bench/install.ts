import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import {
  ceilingWithoutAstro,
  installPackages,
  packPackage,
  weighInstall,
} from '../test/support/site/packed-package.ts';
import type { Bench } from './bench.ts';

const alone = 'without Astro';
const astro = 'Astro alone';
const both = 'with Astro';
const units = ['packages', 'MB', 'ms'] as const;

export const installBench: Bench = {
  name: 'install',
  about: `Installs the packed package into an empty folder with npm, from the registry and its cache: in a project without Astro, such as one of Hugo or Eleventy, and with Astro, next to Astro alone. Tests keep an install without Astro at ${ceilingWithoutAstro.packages} packages and ${ceilingWithoutAstro.MB} MB or less.`,
  isQuick: false,
  figures: [alone, both, astro].flatMap((name) =>
    units.map((unit) => ({
      name: `${name}, ${unit}`,
      unit,
      ...(name === both && { against: [{ peer: `${astro}, ${unit}` }] }),
      ...(name === alone && { against: [{ peer: `${both}, ${unit}` }] }),
    })),
  ),
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'install-'));
    const own = { 'astro-media-asset': `file:${await packPackage(folder)}` };
    const itself = { astro: manifest.devDependencies.astro };
    return {
      async round() {
        const figures: Record<string, number> = {};
        for (const [name, dependencies] of [
          [alone, own],
          [both, { ...own, ...itself }],
          [astro, itself],
        ] as const) {
          const dir = join(folder, 'project');
          await mkdir(dir);
          const start = performance.now();
          await installPackages(dir, dependencies);
          const ms = performance.now() - start;
          const values = { ...(await weighInstall(dir)), ms };
          for (const unit of units) figures[`${name}, ${unit}`] = values[unit];
          await rm(dir, { recursive: true });
        }
        return figures;
      },
      close: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
    };
  },
};

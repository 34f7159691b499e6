import { pathToFileURL } from 'node:url';
import type { SiteBuild } from '../../../src/astro/build/build-notes.ts';
import { resolveOptions } from '../../../src/config/options.ts';

/**
 * A build of a project without Astro: what its mark and its report need of one. Its service can't be
 * reached.
 */
export function siteBuild(
  dir: string,
  {
    buildId = 'a',
    outDir = 'dist',
    config = {},
    options = {},
    ...parts
  }: { buildId?: string; outDir?: string; config?: object; options?: object } & Partial<
    Pick<SiteBuild, 'service' | 'startedAt' | 'logger'>
  > = {},
): SiteBuild {
  const root = pathToFileURL(`${dir}/`);
  const counts = { made: 0, taken: 0, reused: 0, checks: 0, downloads: 0, stale: 0, missing: 0 };
  return {
    ...{ buildId, settings: 'a' },
    startedAt: '2026-03-01T12:00:00.000Z',
    config: {
      ...{ site: 'https://harbour.example', base: '/', trailingSlash: 'ignore' },
      ...{ root, outDir: new URL(`${outDir}/`, root), cacheDir: new URL('.cache/', root) },
      build: { format: 'directory', assets: '_astro' },
      ...config,
    },
    options: resolveOptions(
      { service: { accessToken: 'token' }, report: 'always', ...options },
      {},
    ),
    service: { baseUrl: 'http://127.0.0.1:9' },
    images: {
      people: { names: () => ({}) },
      publisher: { digests: () => ({}), originals: async () => ({}), counts: () => counts },
    },
    markdown: { throwIfFailed() {} },
    checks: { start() {} },
    logger: { info() {}, warn() {}, error() {} },
    published: new Map(),
    unscanned: { routes: [], islands: [] },
    ...parts,
  } as unknown as SiteBuild;
}

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildRules } from '../../../src/usage/build-rules.ts';
import { runCommand } from '../process/run-command.ts';
import { type Run, run, type Variables } from './site.ts';

export const commandEntry = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

/** The rules of a build with default options. */
export const builtRules: BuildRules & { readonly stamp: string } = {
  version: 1,
  site: 'https://harbour.example',
  base: '/',
  format: 'directory',
  trailingSlash: 'ignore',
  exclude: [],
  project: '',
  contact: '',
  description: '',
  stamp: '_astro/media-asset.4711.txt',
};

/** What a build with default options leaves for commands. */
export const builtSettings: NonNullable<BuildRules['settings']> = {
  ...{ tokenEncoding: 'form', tokenPath: '/1/oauth2/token', concurrency: 8 },
  ...{ maxIdsPerRequest: 100, maxUnsent: 7 },
};

/** A temporary working directory for `media-asset`. */
export type BuiltFolder = Awaited<ReturnType<typeof createBuiltFolder>>;

export async function createBuiltFolder() {
  const dir = await mkdtemp(join(tmpdir(), 'built folder-'));
  const path = (file: string) => join(dir, file);
  const write = async (file: string, text: string) => {
    await mkdir(dirname(path(file)), { recursive: true });
    await writeFile(path(file), text);
  };
  return {
    dir,
    path,
    write,
    remove: (file: string) => rm(path(file), { recursive: true, force: true }),
    /** Writes a page with a title and its assets. */
    page: (file: string, title: string, ...ids: readonly (number | string)[]) =>
      write(
        file,
        `<!doctype html><meta charset="utf-8"><title>${title}</title>${ids.map((id) => `<img data-media-asset="${id}">`).join('')}`,
      ),
    /** Leaves these rules and their stamp, like a finished build into `dir`. */
    async build(rules: object, dir = 'dist') {
      await write('.media-asset/build.json', JSON.stringify({ ...builtRules, ...rules }));
      await write(join(dir, builtRules.stamp), '');
    },
    /** Runs `media-asset` in the folder, without a terminal, in this process. */
    command: (words: readonly string[], environment: Variables = {}): Promise<Run> =>
      runCommand(words, {
        directory: dir,
        environment,
        // Without a config to evaluate, no command needs a process of its own.
        isSiteProcess: !existsSync(path('astro.config.mjs')),
      }),
    /** The same in its own process. */
    process: (words: readonly string[], environment: Variables = {}) =>
      run(dir, commandEntry, words, environment),
    delete: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
}

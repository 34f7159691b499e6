import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { compileCache } from '../process/compile-cache.ts';
import { runCommand } from '../process/run-command.ts';
import { astroHas, astroPackages, onCloudflare } from './astro-major.ts';
import { ownProgram, runSharedAstro } from './shared-astro.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A project, such as a copy of a fixture site in a temporary folder. */
export type Site = ReturnType<typeof siteIn>;

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Stdout and stderr, without colours. */
  readonly output: string;
}

/**
 * @param fixture a folder of `fixtures/sites`
 * @param options.sharedAstro its builds and its `sync` run one after another in one process: see `runSharedAstro`
 */
export async function createSite(
  fixture: string,
  options: { sharedAstro?: boolean } = {},
): Promise<Site> {
  const dir = await mkdtemp(join(tmpdir(), `site ${fixture}-`));
  await cp(join(root, 'fixtures/sites', fixture), dir, { recursive: true });
  await writeFile(
    join(dir, 'package.json'),
    '{ "name": "site", "private": true, "type": "module" }\n',
  );
  await mkdir(join(dir, 'node_modules/@astrojs'), { recursive: true });
  await symlink(root, join(dir, 'node_modules/astro-media-asset'), 'junction');
  for (const [name, folder] of astroPackages) {
    await symlink(folder, join(dir, 'node_modules', name), 'junction');
  }
  const config = join(dir, 'astro.config.mjs');
  // Each major refuses a config with an unknown experiment.
  if (!astroHas('incremental builds'))
    await writeFile(config, (await readFile(config, 'utf8')).replace(/.*incrementalBuild.*\n/, ''));
  if (!astroHas('linked packages')) {
    const open = '$& vite: { server: { fs: { strict: false } } },';
    await writeFile(config, (await readFile(config, 'utf8')).replace('defineConfig({', open));
  }
  if (onCloudflare) await writeFile(join(dir, cloudflareConfig), configOnCloudflare);
  return siteIn(dir, options);
}

/** Astro's config with Cloudflare's adapter, whose pages go to the usual folder. Builds use it if it's there. */
export const cloudflareConfig = 'astro.cloudflare.mjs';

const configOnCloudflare = `import cloudflare from '@astrojs/cloudflare';

// A shared process has imported the config before it was changed.
const { default: config } = await import('./astro.config.mjs?' + performance.now());
const build = { ...config.build, client: './', server: '../server/' };
// Two builds at once can choose the same port for the inspector.
export default { adapter: cloudflare({ inspectorPort: false }), ...config, build };
`;

/** An existing project. */
export function siteIn(dir: string, { sharedAstro = false } = {}) {
  const path = (file: string) => join(dir, file);
  const dist = path('dist');
  const runAstro = sharedAstro ? runShared : run;
  const build = (words: readonly string[]) => {
    const isOnCloudflare = existsSync(path(cloudflareConfig));
    return ['build', ...(isOnCloudflare ? ['--config', cloudflareConfig] : []), ...words];
  };
  const read = (file: string) => readFile(path(file), 'utf8');
  const write = async (file: string, text: string) => {
    await mkdir(dirname(path(file)), { recursive: true });
    await writeFile(path(file), text);
  };
  return {
    dir,
    /** The folder of the built site. */
    dist,
    /** The path of the site's own Astro program. */
    get astro() {
      const manifest = readFileSync(path('node_modules/astro/package.json'), 'utf8');
      return path(join('node_modules/astro', JSON.parse(manifest).bin.astro));
    },
    path,
    read,
    write,
    /** Replaces a text. Fails if the text is missing. */
    async edit(file: string, from: string | RegExp, to: string) {
      const text = await read(file);
      const edited = text.replace(from, to);
      if (edited === text) throw new Error(`${file} has no ${from}.`);
      await write(file, edited);
    },
    remove: (file: string) => rm(path(file), { recursive: true }),
    /** Runs `astro build`. */
    build(environment: Variables = {}, ...words: string[]): Promise<Run> {
      return runAstro(dir, this.astro, build(words), environment);
    },
    /** Runs `astro sync`. */
    sync(): Promise<Run> {
      return runAstro(dir, this.astro, ['sync'], {});
    },
    /** Like `build`, but always in a new process. */
    buildAlone(environment: Variables = {}, ...words: string[]): Promise<Run> {
      return run(dir, this.astro, build(words), environment);
    },
    /** Runs `media-asset` in the project's folder, in this process. */
    command: (environment: Variables, ...words: string[]): Promise<Run> =>
      sharedAstro && /^(?:audit|doctor|import|record|rights|watch)$/.test(words[0] ?? '')
        ? runShared(dir, ownProgram, words, environment)
        : runCommand(words, { directory: dir, environment: variables(environment) }),
    /** The project's files that match a glob, including dot files. */
    files: async (pattern: string) => (await fastGlob(pattern, { cwd: dir, dot: true })).sort(),
    /** A file of the built site, by its path in a page. */
    readOutput: (file: string): Promise<Uint8Array> => readFile(join(dist, file)),
    /** The first group of a pattern in each built HTML file that has it, sorted. */
    async textOfOutput(pattern: RegExp) {
      const files = await fastGlob('**/*.html', { cwd: dist });
      const texts = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')));
      return texts.flatMap((text) => pattern.exec(text)?.[1] ?? []).sort();
    },
    delete: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/**
 * Runs a Node program to its end, without the machine's environment: no CI variables, no
 * `MEDIA_ASSET_…`, and none of the test runner's.
 */
export function run(
  directory: string,
  program: string,
  words: readonly string[],
  environment: Variables,
): Promise<Run> {
  const env = variables(environment);
  return new Promise((resolve) => {
    const options = { cwd: directory, env, timeout: 220_000, maxBuffer: 64 * 1024 ** 2 };
    execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) => {
      const exitCode = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      const ended = error?.signal ? `\nEnded by ${error.signal}.` : '';
      resolve({ exitCode, stdout, stderr, output: `${stdout}${stderr}${ended}` });
    });
  });
}

const runShared: typeof run = async (directory, program, words, environment) => {
  const order = { program, directory, words, environment: variables(environment) };
  const { exitCode, stdout, stderr } = await runSharedAstro(order);
  return { exitCode, stdout, stderr, output: `${stdout}${stderr}` };
};

function variables(environment: Variables): Variables & NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...compileCache,
    ASTRO_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
    ...(onCloudflare && { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' }),
    ...environment,
  };
}

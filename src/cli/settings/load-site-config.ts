import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CommandSite, requestSite } from '../../assets/command-site.ts';
import { type Environment, resolveOptions } from '../../config/options.ts';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { sealAddresses } from '../../usage/build-rules.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { KnownService } from './site-settings.ts';

/** In the order in which Astro looks for them. */
export const configFiles = ['mjs', 'js', 'ts', 'mts'].map((ending) => `astro.config.${ending}`);

/**
 * Evaluates the last build's Astro config, or the one with a default name, as a build does, because
 * only its code can read records: the hooks of all integrations run until the config is final.
 * `undefined` if there is no config, or if it doesn't use the integration.
 *
 * @param variables of the environment that the config is evaluated in, besides the process's
 */
export async function loadSiteConfig(
  { directory }: Pick<Terminal, 'directory'>,
  known: KnownService,
  variables: Environment = {},
): Promise<(CommandSite & { readonly file: string }) | undefined> {
  const file = namedByBuild(known) ?? configFiles.find((name) => existsSync(join(directory, name)));
  if (file === undefined) return undefined;
  const astro = resolveAstro(directory, 'astro/config', `load ${file}`);
  Object.assign(process.env, variables);
  const site = requestSite();
  try {
    const { getViteConfig } = await import(pathToFileURL(astro).href);
    const inline = { root: directory, configFile: file, logLevel: 'error' };
    await getViteConfig({}, inline)({ command: 'build', mode: 'production' });
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('config-unloadable', { file, problem }, { cause });
  }
  const found = site();
  return found && { file, ...found };
}

/** @throws `astro-missing`: sites of other generators don't install Astro */
export function resolveAstro(directory: string, module: string, task: string): string {
  try {
    return createRequire(join(directory, 'package.json')).resolve(module);
  } catch (cause) {
    throw mediaAssetError('astro-missing', { task }, { cause });
  }
}

/**
 * The config file that the last build was started with. Anyone who can write to a cache can change its
 * name, and the file is run. So the build's seal must prove that the build has written it.
 */
function namedByBuild({ built, environment }: KnownService): string | undefined {
  if (built?.config === undefined) return undefined;
  const { config: file, seal } = built;
  if (seal === sealAddresses(built, resolveOptions({}, environment).service)) return file;
  const problem = 'only .media-asset/build.json names it, and was sealed with other credentials';
  throw mediaAssetError('config-unloadable', { file, problem });
}

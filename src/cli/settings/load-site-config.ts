import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CommandSite, requestSite } from '../../assets/command-site.ts';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** In the order in which Astro looks for them. */
const configFiles = ['astro.config.mjs', 'astro.config.js', 'astro.config.ts', 'astro.config.mts'];

interface SiteConfig extends CommandSite {
  /** The name of the config file. */
  readonly file: string;
}

/**
 * Evaluates the Astro config of the project as a build does, because only its code can read records:
 * the hooks of all integrations run until the config is final. `undefined` if there is no config, or
 * if it doesn't use the integration.
 *
 * @throws `config-unloadable`, `options-invalid`, `environment-unreadable`
 */
export async function loadSiteConfig({
  directory,
  onConfig,
}: Pick<Terminal, 'directory' | 'onConfig'>): Promise<SiteConfig | undefined> {
  const file = configFiles.find((name) => existsSync(join(directory, name)));
  if (file === undefined) return undefined;
  const site = requestSite();
  onConfig?.(file);
  try {
    const fromProject = createRequire(join(directory, 'package.json'));
    const { getViteConfig } = await import(pathToFileURL(fromProject.resolve('astro/config')).href);
    const inline = { root: directory, configFile: file, logLevel: 'error' };
    await getViteConfig({}, inline)({ command: 'build', mode: 'production' });
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('config-unloadable', { file, problem }, { cause });
  } finally {
    onConfig?.(undefined);
  }
  const found = site();
  return found && { file, ...found };
}

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RecordRule } from '../../assets/records/records.ts';
import type { SiteLanguages } from '../../assets/records/site-languages.ts';
import { loadEnvironment } from '../../config/environment.ts';
import { type ResolvedOptions, resolveOptions } from '../../config/options.ts';
import { optionsOf } from '../../config/site-options.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** In the order in which Astro looks for them. */
const configFiles = ['astro.config.mjs', 'astro.config.js', 'astro.config.ts', 'astro.config.mts'];

export interface SiteConfig {
  /** The name of the config file. */
  readonly file: string;
  readonly options: Pick<ResolvedOptions, 'files' | 'rights'>;
  /** How the site reads records, if it does. */
  readonly record: RecordRule | undefined;
}

/**
 * Loads the Astro config of the project, because only its code can read records. `undefined` if there
 * is no config, or if it doesn't use the integration. No hook runs.
 *
 * @throws `config-unloadable`, `options-invalid`, `environment-unreadable`
 */
export async function loadSiteConfig({
  directory,
  environment,
}: Pick<Terminal, 'directory' | 'environment'>): Promise<SiteConfig | undefined> {
  const file = configFiles.find((name) => existsSync(join(directory, name)));
  if (file === undefined) return undefined;
  const { integrations, i18n } = await evaluateConfig(directory, file);
  const nested: unknown[] = Array.isArray(integrations) ? integrations : [];
  const [own] = nested.flat(Number.POSITIVE_INFINITY).flatMap((one) => optionsOf(one) ?? []);
  if (!own) return undefined;
  const options = resolveOptions(own.input, loadEnvironment(directory, 'production', environment));
  const { locales, defaultLocale } = i18n ?? {};
  const record = options.record && { ...options.record, locales, defaultLocale };
  return { file, options, record };
}

/** The part of an Astro config that commands read. No one has checked it. */
interface ProjectConfig {
  readonly integrations?: unknown;
  readonly i18n?: SiteLanguages;
}

/** @throws `config-unloadable` */
async function evaluateConfig(directory: string, file: string): Promise<ProjectConfig> {
  try {
    const fromProject = createRequire(join(directory, 'package.json'));
    const fromAstro = createRequire(fromProject.resolve('astro/package.json'));
    // The project's own Vite bundles TypeScript as Astro does.
    const { loadConfigFromFile } = await import(pathToFileURL(fromAstro.resolve('vite')).href);
    const run = { command: 'build', mode: 'production' };
    const loaded = await loadConfigFromFile(run, join(directory, file), directory, 'silent');
    return loaded?.config ?? {};
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('config-unloadable', { file, problem }, { cause });
  }
}

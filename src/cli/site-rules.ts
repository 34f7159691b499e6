import { join } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { type BuildRules, readBuildRules } from '../usage/build-rules.ts';
import type { Terminal } from './terminal.ts';

/** The flags by which a command learns about the site. */
export interface SiteFlags {
  readonly site?: string;
  readonly base?: string;
  readonly service?: string;
  readonly format?: BuildRules['format'];
  readonly trailingSlash?: BuildRules['trailingSlash'];
  readonly exclude?: string[];
  readonly project?: string;
  readonly contact?: string;
  readonly json?: boolean;
}

/**
 * What the last build has left, with the flags above it. For a folder that Astro did not build,
 * flags alone are enough.
 *
 * @throws `rules-missing` without a site, `command-usage` where an address is none
 */
export async function siteRules(flags: SiteFlags, terminal: Terminal): Promise<BuildRules> {
  const built = await readBuildRules(join(terminal.directory, '.media-asset/build.json'));
  const site = flags.site ?? built?.site;
  if (!site) throw mediaAssetError('rules-missing', undefined);
  const { host } = toUrl('--site', site);
  const service = flags.service ?? terminal.environment.MEDIA_ASSET_BASE_URL ?? built?.service;
  // Another site's project and contact would be wrong for this one.
  const same = built && new URL(built.site).host === host ? built : undefined;
  const project =
    flags.project ?? terminal.environment.MEDIA_ASSET_PROJECT ?? same?.project ?? host;
  return {
    version: 1,
    site,
    base: flags.base ?? same?.base ?? '/',
    format: flags.format ?? same?.format ?? 'directory',
    trailingSlash: flags.trailingSlash ?? same?.trailingSlash ?? 'ignore',
    assetsPrefix: same?.assetsPrefix,
    exclude: flags.exclude ?? same?.exclude ?? [],
    service: service && toUrl('--service', service).href.replace(/\/+$/, ''),
    project,
    contact: flags.contact ?? terminal.environment.MEDIA_ASSET_CONTACT ?? same?.contact ?? project,
    description: same?.description ?? '',
  };
}

function toUrl(flag: string, value: string): URL {
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw mediaAssetError('command-usage', {
    problem: `${flag} ${value} is not an absolute http or https address.`,
  });
}

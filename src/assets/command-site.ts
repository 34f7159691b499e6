import type { SiteLanguages } from '../config/languages.ts';
import type { Finding } from '../errors/errors.ts';
import type { PeopleAssets } from './people-assets.ts';
import type { RecordRule } from './records/records.ts';

/** A site as its config describes it, for a command that has evaluated the config. */
export interface CommandSite {
  /** The public URL in the config, if it's set. */
  readonly address: string | undefined;
  readonly languages: SiteLanguages;
  /** How the site reads records, if it does. */
  readonly record: RecordRule | undefined;
  /** Opens the assets as a build does. */
  openAssets(onFinding: (finding: Finding) => void): Promise<SiteAssets>;
}

interface SiteAssets extends Pick<PeopleAssets, 'changesSince' | 'names'> {
  /** The service's base URL. */
  readonly service: string;
  /** A digest of the options that affect rendered pages. */
  readonly settings: string;
}

/** Shared by the copies of this package that the command and the site use. */
const key = Symbol.for('astro-media-asset.command');

/**
 * Makes the integration hand over the site, once its config is final, and do nothing else.
 *
 * @returns the site; `undefined` if no config with the integration was evaluated since
 */
export function requestSite(): () => CommandSite | undefined {
  let site: CommandSite | undefined;
  Reflect.set(globalThis, key, (given: CommandSite) => {
    site = given;
  });
  return () => site;
}

/** Hands a site over. @returns whether a command has asked for it */
export function handOver(site: CommandSite): boolean {
  const take: unknown = Reflect.get(globalThis, key);
  if (typeof take !== 'function') return false;
  take(site);
  return true;
}

import type { RecordRule, RightsRule } from './records/records.ts';

/** A site as its config describes it, for a command that has evaluated the config. */
export interface CommandSite {
  /** How the site reads records, if it does. */
  readonly record: RecordRule | undefined;
  readonly rights: Pick<RightsRule, 'unknown' | 'warnDays'>;
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

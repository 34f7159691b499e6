import { join } from 'node:path';
import { basePath } from '../../scan/page-url.ts';
import { digest } from '../../storage/digest.ts';

/** A ledger holds the usages of one site, below one base, in one service. */
export interface LedgerIdentity {
  /** The service's base URL, without a slash at its end. */
  readonly service: string;
  /** The site's origin. */
  readonly site: string;
  /** With a leading slash and no trailing one. Empty for the root. */
  readonly base: string;
}

/** Normalizes an identity. Trailing slashes and a path in `site` don't make another ledger. */
export function ledgerIdentity({ service, site, base }: LedgerIdentity): LedgerIdentity {
  return { service: serviceName(service), site: new URL(site).origin, base: basePath(base) };
}

/** A service's base URL without credentials, and without slashes at its end. */
export function serviceName(service: string): string {
  const { origin, pathname } = new URL(service);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

export function ledgerPath(projectRoot: string, identity: LedgerIdentity): string {
  return join(projectRoot, '.media-asset', `ledger-${ledgerName(identity)}.json`);
}

/** A name that's unique in a folder or store. */
export function ledgerName(identity: LedgerIdentity): string {
  const { service, site, base } = ledgerIdentity(identity);
  return nameOf(site, [service, site, base]);
}

/** All sites share the history of their service, which outlasts a changed `site` or `base`. */
export function historyName(identity: LedgerIdentity): string {
  const service = serviceName(identity.service);
  return nameOf(service, [service]);
}

function nameOf(url: string, parts: readonly string[]): string {
  const slug = new URL(url).host.replace(/[^a-z0-9]+/g, '-').slice(0, 60);
  return `${slug}-${digest(parts).slice(0, 8)}`;
}

/** The URL of a site with its base, and a slash at its end. */
export function siteUrl(identity: LedgerIdentity): string {
  const { site, base } = ledgerIdentity(identity);
  return new URL(`${base}/`, site).href;
}

/** Whether a page is below the site and base of a ledger. No other page may be touched. */
export function ownPages(identity: LedgerIdentity): (page: string) => boolean {
  const folder = siteUrl(identity);
  const root = new URL(ledgerIdentity(identity).base || '/', folder).href;
  return (page) => page === root || page.startsWith(folder);
}

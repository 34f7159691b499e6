import type { AstroIntegrationLogger, HookParameters } from 'astro';
import { escapeXml } from '../../assets/formats/credit.ts';
import { isMediaAssetError, toFinding } from '../../errors/errors.ts';
import { isOnGithub } from '../../usage/output/github-actions.ts';
import { logFinding } from '../log-finding.ts';

export type DevServer = HookParameters<'astro:server:setup'>['server'];

/**
 * Logs one of our errors, and shows it over the page in dev. Astro does both for pages that it renders in
 * Node. Of pages in another runtime, it gets the message of an error at most.
 */
export function showFailure(
  thrown: unknown,
  { logger, devServer }: { logger: AstroIntegrationLogger; devServer: DevServer | undefined },
): void {
  if (!isMediaAssetError(thrown)) return;
  // The annotation of a build has been printed already.
  if (!isOnGithub(process.env)) logFinding(logger, toFinding('error', thrown));
  if (!devServer) return;
  const { name, message, hint, stack = '' } = thrown;
  // The overlay takes HTML.
  const err = { name, message: escapeXml(message), hint: escapeXml(hint), stack };
  // A browser needs some milliseconds to connect. Astro waits as long.
  setTimeout(() => devServer.environments.client.hot.send({ type: 'error', err }), 200);
}

import { openMediaService } from '../../service/open-media-service.ts';
import type { MediaService } from '../../service/types.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { noteFindings, type Terminal } from '../terminal/terminal.ts';
import { type KnownService, reachService, type ServiceFlags } from './find-service.ts';
import { readLastBuild } from './site-settings.ts';

type FindingsTerminal = Parameters<typeof noteFindings>[1];

const oneDay = 24 * 60 * 60 * 1000;

export interface LibraryFlags extends ServiceFlags {
  readonly json?: boolean;
}

/**
 * Opens a client. `maxUnsent` is in ms. `settings` are those of a last build with this service.
 *
 * @throws like `reachService`; `url-insecure`
 */
export function openService(
  flags: ServiceFlags,
  known: KnownService,
  { terminal, ...limits }: { terminal: FindingsTerminal; maxDownloadBytes?: number | undefined },
): { service: MediaService; maxUnsent: number; settings: BuildRules['settings'] } {
  const { reached, maxUnsent, settings } = reachService(flags, known, limits);
  const service = openMediaService(reached, known.environment, (found) =>
    noteFindings([found], terminal),
  );
  return { service, maxUnsent: maxUnsent * oneDay, settings };
}

/** For commands that need no site. Also throws `rules-broken` and `environment-unreadable`. */
export async function openLibrary(
  flags: ServiceFlags,
  terminal: Pick<Terminal, 'directory' | 'environment'> & FindingsTerminal,
  limits: { maxDownloadBytes?: number | undefined } = {},
): Promise<Pick<ReturnType<typeof openService>, 'service' | 'settings'>> {
  return openService(flags, await readLastBuild(terminal), { terminal, ...limits });
}

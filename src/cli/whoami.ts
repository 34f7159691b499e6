import { mediaAssetError } from '../errors.ts';
import type { Environment, ServiceSettings } from '../options.ts';
import { openTokenStore, type StoredTokens } from '../service/index.ts';
import { type SignInFlags, signInSettings } from './sign-in-settings.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

interface Identity {
  readonly service: string;
  readonly clientId: string;
  readonly grant: ServiceSettings['credentials']['kind'];
  readonly user: string | null;
  /** Where the credentials come from. */
  readonly source: string;
  /** Where tokens are kept; null where they are not. */
  readonly store: string | null;
  readonly tokens: StoredTokens | undefined;
}

/**
 * `media-asset whoami`: where the credentials come from, and when they expire. Shows no secret, and
 * asks nobody.
 *
 * @throws `sign-in-missing` where there are none
 */
export async function whoami(flags: SignInFlags, terminal: Terminal): Promise<ExitCode> {
  const { settings, environment } = await signInSettings(flags, terminal);
  const found = await identify(settings, environment);
  const now = Date.now();
  terminal.out(
    flags.json
      ? JSON.stringify(toJson(found), undefined, 2)
      : identityText(found, { now, terminal }),
  );
  return exitCodes.done;
}

/** Who a build would be for the service. @throws `sign-in-missing`, and what the store throws */
export async function identify(
  settings: ServiceSettings,
  environment: Environment,
): Promise<Identity> {
  const { baseUrl: service, clientId, credentials, tokens: place } = settings;
  const store = openTokenStore({ service, clientId, credentials, ...place, environment });
  const tokens = await store?.read();
  const { kind } = credentials;
  if (kind === 'authorization-code' && tokens === undefined) {
    throw mediaAssetError('sign-in-missing', { service });
  }
  return {
    service,
    clientId,
    grant: kind,
    user: kind === 'password' ? credentials.username : null,
    source: sources[kind],
    store: store?.name ?? null,
    tokens,
  };
}

const sources: Readonly<Record<Identity['grant'], string>> = {
  password: 'MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD',
  'refresh-token': 'MEDIA_ASSET_REFRESH_TOKEN',
  'access-token': 'MEDIA_ASSET_ACCESS_TOKEN',
  'authorization-code': 'media-asset login',
};

function toJson({ tokens, ...known }: Identity) {
  const { obtainedAt, expiresAt } = tokens ?? {};
  const renewable =
    known.grant !== 'access-token' &&
    (tokens?.refreshToken !== undefined || known.grant !== 'authorization-code');
  return {
    version: 1,
    ...known,
    obtained: toIso(obtainedAt),
    expires: toIso(expiresAt),
    renewable,
  };
}

function identityText(
  found: Identity,
  { now, terminal: { paint } }: { now: number; terminal: Terminal },
): string {
  const { tokens } = found;
  const rows: [string, string][] = [
    ['service', found.service],
    ...(found.clientId ? [['client id', found.clientId] as [string, string]] : []),
    ...(found.user ? [['user', found.user] as [string, string]] : []),
    ['credentials', `${found.source} (${found.grant})`],
    ...(found.store && tokens ? [['kept in', found.store] as [string, string]] : []),
    ['expires', expiryText(found, now)],
  ];
  return rows.map(([title, text]) => `${paint.dim(title.padEnd(12))}${text}`).join('\n');
}

/** When these credentials expire, for people. */
export function expiryText({ grant, tokens }: Identity, now: number): string {
  if (grant === 'access-token') return 'not known: it is used as it is, and not renewed';
  if (tokens === undefined) return 'each run asks for a token of its own';
  const { expiresAt, refreshToken } = tokens;
  const renewed = refreshToken === undefined ? '' : ', renewed as needed';
  if (expiresAt === undefined) return `not said by the service${renewed}`;
  const ended = expiresAt <= now ? ', which is over' : '';
  const again = ended && !renewed ? ': run media-asset login again' : '';
  return `${toIso(expiresAt)}${ended}${renewed}${again}`;
}

function toIso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

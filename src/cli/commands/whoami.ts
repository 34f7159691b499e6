import type { Command } from 'commander';
import { example, libraryOptions, type ToAction } from '../command-options.ts';
import type { LibraryFlags } from '../settings/open-service.ts';
import type { Identity } from '../settings/sign-in-settings.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

/** Shows no secrets and sends no requests. */
export function declareWhoami(program: Command, run: ToAction): void {
  libraryOptions(program.command('whoami'))
    .description('Show where your credentials come from, and when they expire.')
    .addHelpText('after', example('media-asset whoami', 'media-asset whoami --json'))
    .action(run(whoami));
}

async function whoami(flags: LibraryFlags, terminal: Terminal): Promise<ExitCode> {
  const { expiryText, identify, signInSettings } = await import('../settings/sign-in-settings.ts');
  const { settings, environment } = await signInSettings(flags, terminal);
  const found = await identify(settings, environment);
  const expires = expiryText(found, Date.now());
  terminal.print(toJson(found), () => identityText(found, { expires, paint: terminal.paint }));
  return exitCodes.done;
}

function toJson({ tokens, ...known }: Identity) {
  const { obtainedAt, expiresAt } = tokens ?? {};
  const renewable =
    known.grant !== 'access-token' &&
    (tokens?.refreshToken !== undefined || known.grant !== 'authorization-code');
  return {
    ...known,
    obtained: toIso(obtainedAt),
    expires: toIso(expiresAt),
    renewable,
  };
}

function identityText(
  found: Identity,
  { expires, paint }: { expires: string } & Pick<Terminal, 'paint'>,
): string {
  const { tokens } = found;
  const rows: [string, string][] = [
    ['service', found.service],
    ...(found.clientId ? [['client ID', found.clientId] as [string, string]] : []),
    ...(found.user ? [['user', found.user] as [string, string]] : []),
    ['credentials', `${found.source} (${found.grant})`],
    ...(found.store && tokens ? [['kept in', found.store] as [string, string]] : []),
    ['expires', expires],
  ];
  return rows.map(([title, text]) => `${paint.dim(title.padEnd(12))}${text}`).join('\n');
}

function toIso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

import type { Command } from 'commander';
import { example, libraryOptions, type ToAction } from '../command-options.ts';
import type { LibraryFlags } from '../settings/open-service.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

/** Only deletes the tokens here. The interface has no call to revoke them. */
export function declareLogout(program: Command, run: ToAction): void {
  libraryOptions(program.command('logout'))
    .description('Delete the tokens of a sign-in.')
    .addHelpText('after', example('media-asset logout'))
    .action(run(logout));
}

async function logout(flags: LibraryFlags, terminal: Terminal): Promise<ExitCode> {
  const { loginStore, signInSettings } = await import('../settings/sign-in-settings.ts');
  const { settings, environment } = await signInSettings(flags, terminal, { signIn: true });
  const store = loginStore(settings, environment);
  const { baseUrl: service } = settings;
  let wasSignedIn = false;
  await store.update(async (stored) => {
    wasSignedIn = stored !== undefined;
    return undefined;
  });
  terminal.print({ service, store: store.name, wasSignedIn }, () =>
    wasSignedIn
      ? `Signed out of ${service}: its tokens were deleted from ${store.name}.`
      : `No one was signed in to ${service}.`,
  );
  return exitCodes.done;
}

import type { ServiceFlags } from '../settings/find-service.ts';
import { loginStore, signInSettings } from '../settings/sign-in-settings.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';
/** Only deletes the tokens here. The interface has no call to revoke them. */
export async function logout(flags: ServiceFlags, terminal: Terminal): Promise<ExitCode> {
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

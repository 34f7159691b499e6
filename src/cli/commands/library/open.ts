import type { Command } from 'commander';
import { example, libraryOptions, type ToAction, toAssetId, wrong } from '../../command-options.ts';
import type { LibraryFlags } from '../../settings/open-service.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';

/** Sends no requests. */
export function declareOpen(program: Command, run: ToAction): void {
  libraryOptions(program.command('open'))
    .description("Open an asset's page in the browser, and print its URL.")
    .argument('<id>', 'asset ID', toAssetId)
    .addHelpText('after', example('media-asset open 4711'))
    .action(run(open));
}

/** Without a terminal, and with `--json`, only prints the URL. */
async function open(flags: LibraryFlags, terminal: Terminal, id: number): Promise<ExitCode> {
  const url = await assetPage(flags, terminal, id);
  terminal.print({ id, url }, () => url);
  if (flags.json || !terminal.confirm) return exitCodes.done;
  await terminal.browse(url).catch(() => terminal.note("Couldn't open a browser."));
  return exitCodes.done;
}

/** Of the site's URL pattern. Otherwise of the emulator, if the service is on this machine. */
async function assetPage(
  flags: LibraryFlags,
  terminal: Pick<Terminal, 'directory' | 'environment'>,
  id: number,
): Promise<string> {
  const { resolveOptions } = await import('../../../config/options.ts');
  const { isLoopbackHost } = await import('../../../service/http/public-address.ts');
  const { findService } = await import('../../settings/find-service.ts');
  const { readLastBuild } = await import('../../settings/site-settings.ts');
  const known = await readLastBuild(terminal);
  const { baseUrl, settings } = findService(flags, known);
  const isSet = Boolean(known.environment.MEDIA_ASSET_ASSET_URL);
  const service = isSet ? {} : { assetUrl: settings?.assetUrl };
  const { assetUrl } = resolveOptions({ service }, known.environment).service;
  if (assetUrl !== undefined) return assetUrl.replaceAll('{id}', String(id));
  if (baseUrl && isLoopbackHost(new URL(baseUrl).hostname)) return `${baseUrl}/asset/${id}`;
  return wrong(
    'The URL of asset pages is unknown. Set MEDIA_ASSET_ASSET_URL or the option service.assetUrl, such as https://dam.example.org/assets/{id}.',
  );
}

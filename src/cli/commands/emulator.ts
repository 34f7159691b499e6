import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { example, type ToAction, toPort } from '../command-options.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

/** Sample images, part of the package. */
const samples = fileURLToPath(new URL('../../../samples', import.meta.url));

export function declareEmulator(program: Command, run: ToAction): void {
  program
    .command('emulator')
    .description('Run a Media Asset Service on this machine for development and tests.')
    .addOption(
      new Option('--port <number>', 'port on 127.0.0.1; 0 picks a free one')
        .default(4710)
        .argParser(toPort),
    )
    .addOption(
      new Option(
        '--media <folder>',
        'folder of media files; its subfolders are the folders of the service',
      ).default(samples, 'three sample images'),
    )
    .option('--data <folder>', 'folder for the database and the request log', '.emulator')
    .addHelpText('after', example('media-asset emulator', 'media-asset emulator --media public'))
    .action(run(emulator));
}

/** Adds options for the emulator's settings, which other commands don't load. */
export async function addEmulatorSwitches(program: Command): Promise<void> {
  const command = program.commands.find((one) => one.name() === 'emulator');
  const { emulatorSwitches } = await import('../../emulator/settings.ts');
  for (const { flag, default: fallback, description } of emulatorSwitches)
    command?.option(`--${flag} <value>`, `${description} (default: ${fallback || 'none'})`);
}

/** Parsed flags. Any further key is a setting. */
interface EmulatorFlags {
  /** On 127.0.0.1; 0 for a free one. */
  readonly port: number;
  readonly media: string;
  readonly data: string;
  readonly [setting: string]: unknown;
}

/**
 * Runs the emulator until the terminal's signal is aborted, then stops it cleanly.
 *
 * @throws `emulator-options-invalid`, `emulator-media-unusable`, `emulator-data-unusable`,
 * `port-busy`
 */
export async function emulator(
  { port, media, data, ...flags }: EmulatorFlags,
  terminal: Pick<Terminal, 'out' | 'note' | 'signal' | 'environment' | 'directory'>,
): Promise<ExitCode> {
  const { readSettings } = await import('../../emulator/settings.ts');
  const { serveEmulator } = await import('../../emulator/serve-emulator.ts');
  await serveEmulator(
    {
      ...readSettings(flags, terminal.environment),
      port,
      media: resolve(terminal.directory, media),
      data: resolve(terminal.directory, data),
    },
    terminal,
  );
  return exitCodes.done;
}

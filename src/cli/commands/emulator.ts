import { resolve } from 'node:path';
import { serveEmulator } from '../../emulator/serve-emulator.ts';
import { readSettings } from '../../emulator/settings.ts';
import { type ExitCode, exitCodes, type Terminal } from '../terminal/terminal.ts';

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

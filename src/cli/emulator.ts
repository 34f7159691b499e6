import { resolve } from 'node:path';

/** What the command line gives; every further key is a setting by its name, as text or boolean. */
export interface EmulatorOptions {
  /** Port of 127.0.0.1, 0 for a free one. */
  readonly port: number;
  readonly media: string;
  readonly data: string;
  readonly [setting: string]: unknown;
}

/** What the command needs of the terminal. */
interface EmulatorTerminal {
  out(text: string): void;
  note(text: string): void;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly directory: string;
}

/**
 * Runs the emulator until the terminal's signal is aborted, then ends it cleanly.
 *
 * @returns The exit code.
 * @throws MediaAssetError `emulator-options-invalid`, `emulator-media-missing`,
 * `emulator-media-unreadable`, `emulator-data-unusable` or `emulator-port-busy`.
 */
export async function emulator(
  { port, media, data, ...flags }: EmulatorOptions,
  terminal: EmulatorTerminal,
): Promise<0> {
  const { readSettings } = await import('../emulator/settings.ts');
  const { serveEmulator } = await import('../emulator/serve-emulator.ts');
  await serveEmulator(
    {
      ...readSettings(flags, terminal.environment),
      port,
      media: resolve(terminal.directory, media),
      data: resolve(terminal.directory, data),
    },
    terminal,
  );
  return 0;
}

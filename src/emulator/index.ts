import { type Emulator, type EmulatorOptions, launchEmulator } from './launch-emulator.ts';

export type { Emulator, EmulatorAsset, EmulatorOptions } from './launch-emulator.ts';
export type { StoredUsage as UsageRecord } from './library/usage-records.ts';
export type { LoggedRequest } from './request-log.ts';
export type { EmulatorSettings, EmulatorSettingsInput } from './settings.ts';

/**
 * Starts a Media Asset Service on 127.0.0.1, with a media folder and a data folder. It runs in this
 * process, so don't block it: use `exec`, not `execSync`.
 *
 * @example
 * const emulator = await startEmulator({ media: 'test/media' });
 * await promisify(exec)('npx astro build', {
 *   env: { ...process.env, ...emulator.environment, MEDIA_ASSET_REPORT: 'always' },
 * });
 * emulator.usages(4711);
 * await emulator.close();
 *
 * @throws `argument-invalid`, `emulator-media-unusable`, `emulator-data-unusable`, `port-busy`
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return (await launchEmulator(options)).emulator;
}

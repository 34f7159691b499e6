export type { StoredUsage as UsageRecord } from './library/usage-records.ts';
export type { LoggedRequest } from './request-log.ts';
export type { EmulatorSettings, EmulatorSettingsInput } from './settings.ts';
export {
  type Emulator,
  type EmulatorAsset,
  type EmulatorOptions,
  startEmulator,
} from './start-emulator.ts';

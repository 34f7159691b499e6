export type { FaultState } from './active-faults.ts';
export type { EmulatorControls } from './controls.ts';
export type { FaultCall, FaultInput } from './fault-schema.ts';
export type { LoggedRequest, Outcome } from './request-log.ts';
export type { EmulatorChanges, EmulatorSettings, EmulatorSettingsInput } from './settings.ts';
export {
  type Emulator,
  type EmulatorAsset,
  type EmulatorOptions,
  startEmulator,
} from './start-emulator.ts';
export type { UsageRecord } from './usage-records.ts';

export type { EmulatorControls } from './controls.ts';
export type { FaultState } from './faults/active-faults.ts';
export type { FaultCall, FaultInput } from './faults/fault-schema.ts';
export type { UsageRecord } from './library/usage-records.ts';
export type { LoggedRequest, Outcome } from './request-log.ts';
export type { EmulatorChanges, EmulatorSettings, EmulatorSettingsInput } from './settings.ts';
export {
  type Emulator,
  type EmulatorAsset,
  type EmulatorOptions,
  startEmulator,
} from './start-emulator.ts';

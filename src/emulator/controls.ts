import { mediaAssetError } from '../errors/errors.ts';
import type { EmulatorState } from './emulator-state.ts';
import type { FaultState } from './faults/active-faults.ts';
import { type FaultInput, parseFaults } from './faults/fault-schema.ts';
import { changeSettings, type EmulatorChanges, type EmulatorSettings } from './settings.ts';

/** Controls of a running emulator. The admin calls offer the same over HTTP. */
export interface EmulatorControls {
  /**
   * Replaces all faults and restarts their counts and random numbers. An empty list removes them.
   *
   * @throws MediaAssetError `emulator-options-invalid`
   */
  setFaults(faults: readonly FaultInput[]): void;
  /** The faults, with the number of requests that each one matched and affected. */
  faults(): FaultState[];
  /**
   * Changes the given settings. A new seed takes effect with the next `setFaults`.
   *
   * @throws MediaAssetError `emulator-options-invalid`, also for `admin` and the sign-in settings
   */
  setSettings(changes: EmulatorChanges): void;
  /** Deletes all usages and the log. Drops late requests that haven't taken effect yet. */
  reset(): void;
}

export function createControls(
  { faults, usages, log, waits }: Pick<EmulatorState, 'faults' | 'usages' | 'log' | 'waits'>,
  current: { settings: EmulatorSettings },
): EmulatorControls {
  return {
    setFaults(input) {
      const parsed = parseFaults(input);
      if ('problems' in parsed) throw mediaAssetError('emulator-options-invalid', parsed);
      faults.set(parsed.faults);
    },
    faults: () => faults.list(),
    setSettings(changes) {
      current.settings = changeSettings(current.settings, changes);
    },
    reset() {
      waits.dropLate();
      usages.clear();
      log.clear();
    },
  };
}

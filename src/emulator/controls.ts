import { mediaAssetError } from '../errors/errors.ts';
import type { EmulatorState } from './emulator-state.ts';
import type { FaultState } from './faults/active-faults.ts';
import { type FaultInput, parseFaults } from './faults/fault-schema.ts';
import { changeSettings, type EmulatorChanges, type EmulatorSettings } from './settings.ts';

/** What can be done to a running emulator; the admin calls do the same over HTTP. */
export interface EmulatorControls {
  /**
   * Replaces all faults, and starts their counts and random numbers again; an empty list ends them.
   *
   * @throws MediaAssetError `emulator-options-invalid`.
   */
  setFaults(faults: readonly FaultInput[]): void;
  /** The faults, and how many requests each has met and hit. */
  faults(): FaultState[];
  /**
   * Changes settings; what is left out stays. A new seed counts from the next `setFaults` on.
   *
   * @throws MediaAssetError `emulator-options-invalid`, also for who may sign in and for `admin`.
   */
  setSettings(changes: EmulatorChanges): void;
  /** Deletes all usages and the log; late requests that are under way never arrive. */
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

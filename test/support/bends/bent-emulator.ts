import type { DatabaseSync } from 'node:sqlite';
import type { EmulatorState } from '../../../src/emulator/emulator-state.ts';
import {
  type Emulator,
  type EmulatorOptions,
  launchEmulator,
} from '../../../src/emulator/launch-emulator.ts';
import { openDatabase } from '../../../src/emulator/library/open-database.ts';
import type { EmulatorSettings } from '../../../src/emulator/settings.ts';
import { bendAnswers } from './bend-answers.ts';
import { type BendSettings, bendDefaults } from './bend-settings.ts';
import { createActiveFaults, type FaultState } from './faults/active-faults.ts';
import type { Fault } from './faults/faults.ts';
import { createWaits } from './faults/waits.ts';
import { type SecondHost, startSecondHost } from './second-host.ts';

export type BentEmulatorOptions = EmulatorOptions & Partial<BendSettings>;

/** Settings that can change while an emulator runs. */
export type SettingChanges = Partial<BendSettings & Pick<EmulatorSettings, 'fields'>>;

/** An emulator in this process whose answers bend. */
export interface BentEmulator extends Emulator {
  /** Replaces all faults and restarts their counts and random numbers. */
  setFaults(faults: readonly Fault[]): void;
  /** The faults, and how many requests each has matched and hit. */
  faults(): FaultState[];
  /** Omitted settings stay. */
  setSettings(changes: SettingChanges): void;
}

export async function startBentEmulator(options: BentEmulatorOptions = {}): Promise<BentEmulator> {
  const [bends, own] = split(options);
  let settings: BendSettings = { ...bendDefaults, ...bends };
  const faults = createActiveFaults();
  const waits = createWaits();
  if (bends.ids !== undefined && own.data !== undefined) {
    // The library gives its first IDs when it starts.
    const database = openDatabase(own.data);
    bendIds(database, bends.ids);
    database.close();
  }
  let second: SecondHost | undefined;
  let bent: EmulatorState | undefined;
  const { emulator, app } = await launchEmulator(own, (state) => {
    bent = state;
    return bendAnswers({
      state,
      settings: () => settings,
      faults,
      waits,
      second: () => second as SecondHost,
    });
  });
  const state = bent as EmulatorState;
  const host = await startSecondHost(app);
  second = host;
  return {
    ...emulator,
    setFaults: faults.set,
    faults: faults.list,
    setSettings(changes) {
      const [bends, own] = split(changes);
      settings = { ...settings, ...bends };
      Object.assign(state.settings, own);
      if (changes.ids !== undefined) bendIds(state.database, changes.ids);
    },
    reset() {
      waits.dropLate();
      emulator.reset();
    },
    async close() {
      waits.close();
      await host.close();
      await emulator.close();
    },
  };
}

/** The settings of bends, and the others. */
function split(options: object): [Partial<BendSettings>, EmulatorOptions] {
  const isBend = ([name]: [string, unknown]) => Object.hasOwn(bendDefaults, name);
  const given = Object.entries(options);
  return [
    Object.fromEntries(given.filter(isBend)),
    Object.fromEntries(given.filter((option) => !isBend(option))),
  ];
}

/** Sets the sign of the IDs that new files and folders get. A data folder keeps it. */
function bendIds(database: DatabaseSync, sign: BendSettings['ids']): void {
  for (const table of ['asset', 'folder']) {
    database.exec(`DROP TRIGGER IF EXISTS negative_${table}`);
    if (sign === 'negative')
      database.exec(
        `CREATE TRIGGER negative_${table} AFTER INSERT ON ${table}
          BEGIN UPDATE ${table} SET id = -new.id WHERE id = new.id; END`,
      );
  }
}

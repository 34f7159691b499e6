import type { Hono } from 'hono';
import type { Bend } from '../../../src/emulator/create-app.ts';
import type { CallEnvironment, EmulatorState } from '../../../src/emulator/emulator-state.ts';
import { bendCrops } from './bend-crops.ts';
import { bendDownloads } from './bend-downloads.ts';
import { bendFolders } from './bend-folders.ts';
import { bendLists } from './bend-lists.ts';
import { type BendLog, createBendLog } from './bend-log.ts';
import { bendRecords } from './bend-records.ts';
import type { BendSettings } from './bend-settings.ts';
import { bendTokens } from './bend-tokens.ts';
import { bendUsages } from './bend-usages.ts';
import type { ActiveFaults } from './faults/active-faults.ts';
import { injectFaults } from './faults/inject-faults.ts';
import type { Waits } from './faults/waits.ts';
import type { SecondHost } from './second-host.ts';

/** What a bend needs. Each one adds middleware to the app. */
export interface BendParts {
  readonly app: Hono<CallEnvironment>;
  readonly state: EmulatorState;
  readonly settings: () => BendSettings;
  readonly log: BendLog;
  readonly second: () => SecondHost;
}

/** Changes an emulator's answers by settings and faults. */
export function bendAnswers({
  state,
  settings,
  faults,
  waits,
  second,
}: Pick<BendParts, 'state' | 'settings' | 'second'> & {
  faults: ActiveFaults;
  waits: Waits;
}): Bend {
  const log = createBendLog(state.database);
  const inject = injectFaults({ faults, waits, log });
  return {
    beforeLog: (app) => void app.use(inject.beforeLog),
    beforeCalls(app) {
      const parts = { app, state, settings, log, second };
      app.use(inject.beforeCalls);
      app.use((c, next) => second().check(c, next));
      bendTokens(parts);
      bendFolders(parts);
      bendLists(parts);
      bendUsages(parts);
      bendRecords(parts);
      bendDownloads(parts);
      bendCrops(parts);
    },
  };
}

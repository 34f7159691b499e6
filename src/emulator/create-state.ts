import { realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { createAccessTokens } from './access-tokens.ts';
import { createAuthorizationCodes } from './authorization-codes.ts';
import type { EmulatorState } from './emulator-state.ts';
import { createFaults } from './faults.ts';
import { createMediaLibrary } from './media-library.ts';
import { createRecordChanger } from './record-changes.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createRequestLog } from './request-log.ts';
import { createAddressSigner } from './sign-address.ts';
import { createUploadRecords } from './upload-records.ts';
import { createUsageChanges } from './usage-changes.ts';
import { createUsageRecords } from './usage-records.ts';
import { createWaits } from './waits.ts';

/**
 * What the calls work on, over an open database.
 *
 * @param folder The real path of the media folder.
 * @param data The data folder, which is there.
 * @param clock Milliseconds since 1970.
 */
export function createState({
  database,
  folder,
  data,
  settings,
  clock,
  otherHost,
}: Pick<EmulatorState, 'settings' | 'otherHost'> & {
  database: DatabaseSync;
  folder: string;
  data: string;
  clock: () => number;
}): EmulatorState {
  const changes = createUsageChanges();
  return {
    settings,
    otherHost,
    data,
    library: createMediaLibrary({ database, folder, data: realpathSync(data) }),
    uploads: createUploadRecords(database),
    changeRecord: createRecordChanger(database),
    tokens: createAccessTokens({ database, lifetime: () => settings().tokenLifetime, clock }),
    refreshTokens: createRefreshTokens({ database, settings }),
    codes: createAuthorizationCodes({ database, lifetime: () => settings().codeLifetime, clock }),
    usages: createUsageRecords({ database, settings, clock, onChange: changes.announce }),
    changes,
    log: createRequestLog({ database, clock }),
    faults: createFaults(() => settings().seed),
    waits: createWaits(),
    signer: createAddressSigner(clock),
  };
}

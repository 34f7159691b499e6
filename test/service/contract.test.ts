import { AssertionError } from 'node:assert';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMediaAssetError } from '../../src/errors/errors.ts';
import { toUsageBody } from '../../src/service/calls/usage-calls.ts';
import { emulatorClient } from '../assets/open-images.ts';
import { bendDefaults } from '../support/bends/bend-settings.ts';
import { startService } from '../support/service/start-service.ts';
import { postUsage } from '../support/service/usage-posts.ts';
import {
  type ContractMethod,
  type ContractSetup,
  contractMethods,
  imageSize,
} from './contract-methods.ts';
import {
  contractTable,
  expectedOutcomes,
  methodsOf,
  type Outcome,
  type Row,
  type Variant,
} from './contract-table.ts';
import { createTime, usage } from './scripted-service.ts';

const emulator = await startService([
  ...[1, 2, 3, 4, 5].map((seed) => ({ path: `boats/boat-${seed}.png`, ...imageSize, seed })),
  { path: 'inbox/quay.jpg', ...imageSize, orientation: 6 },
]);
await mkdir(join(emulator.mediaDir, 'boats/old'));
const token = await emulator.signIn();

async function filesOf(folder: number) {
  const listed = await emulator.fetch(`/1/folder/${folder}/files`);
  return (await listed.json()) as { id: number; filename: string }[];
}

const folders = { boats: 2, inbox: 3, old: 4 };
const files = await Promise.all(
  (await filesOf(folders.boats)).map(async ({ id, filename }) => {
    const bytes = await readFile(join(emulator.mediaDir, 'boats', filename));
    return { id, filename, bytes };
  }),
);
const rotated = (await filesOf(folders.inbox))[0]?.id ?? 0;
const known = { ...usage, ids: files.slice(0, 2).map(({ id }) => id) };
const setup: Omit<ContractSetup, 'client' | 'settings'> = {
  ...{ emulator, files, rotated, folders, known },
};

async function outcomeOf(
  method: ContractMethod,
  { settings = {}, options }: Variant,
): Promise<Outcome> {
  const client = emulatorClient(emulator, { ...createTime(Date.now()).effects, ...options });
  try {
    await contractMethods[method]({ ...setup, client, settings });
    return 'works';
  } catch (thrown) {
    // The call succeeded, but its result differs from the service's data.
    if (thrown instanceof AssertionError) return thrown.message;
    if (isMediaAssetError(thrown)) return thrown.code;
    throw thrown;
  }
}

/** Runs all methods against the service in this variant. */
async function outcomesOf(row: Row, variant: Variant): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {};
  for (const method of methodsOf(row)) {
    await emulator.clearFaults();
    await emulator.setSettings(bendDefaults);
    if (method.startsWith('usages')) await knowUsages();
    if (variant.settings) await emulator.setSettings(variant.settings);
    if (variant.faults) await emulator.setFaults(variant.faults);
    const credentials = { kind: 'access-token', accessToken: token } as const;
    const options = { ...(variant.faults && { credentials }), ...variant.options };
    if (options.credentials?.kind === 'refresh-token' && variant.settings?.refreshTokens) {
      options.credentials = await freshRefreshToken();
    }
    outcomes[method] = await outcomeOf(method, { ...variant, options });
  }
  return outcomes;
}

/** An unused refresh token, because a rotated one works only once. */
async function freshRefreshToken() {
  const answer = await fetch(`${emulator.url}/1/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'emulator',
      client_secret: 'emulator-secret',
      username: 'editor',
      password: 'harbour',
    }),
  });
  const { refresh_token: refreshToken } = (await answer.json()) as { refresh_token: string };
  return { kind: 'refresh-token', refreshToken } as const;
}

/** Reports the known usage, and the same on another page. */
async function knowUsages(): Promise<void> {
  await emulator.reset();
  for (const page of [known.page, `${known.page}more/`]) {
    expect((await postUsage(emulator, toUsageBody({ ...known, page }))).status).toBe(200);
  }
}

const cases = contractTable.flatMap((row) =>
  row.variants.map((variant) => ({ row, variant, name: `${row.unknown}: ${variant.variant}` })),
);

// docs/reference/service.md is made from the same table.
test.for(cases)('every method works as expected with $name', async ({ row, variant }) => {
  expect(await outcomesOf(row, variant)).toEqual(expectedOutcomes(row, variant));
});

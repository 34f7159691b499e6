import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMediaAssetError } from '../../src/errors/errors.ts';
import { toUsageBody } from '../../src/service/calls/usage-calls.ts';
import { createMediaService } from '../../src/service/index.ts';
import { bendDefaults } from '../support/bends/bend-settings.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { postUsage } from '../support/service/usage-posts.ts';
import {
  type ContractMethod,
  type ContractSetup,
  contractMethods,
  imageSize,
  OtherOutcome,
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

let media: string;
let data: string;
let emulator: EmulatorProcess;
let world: Omit<ContractSetup, 'client' | 'settings'>;
let token: string;

const names = ['boat-1.png', 'boat-2.png', 'boat-3.png', 'boat-4.png', 'boat-5.png'];

beforeAll(async () => {
  media = await mkdtemp(join(tmpdir(), 'media-'));
  data = await mkdtemp(join(tmpdir(), 'data-'));
  for (const folder of ['boats/old', 'inbox'])
    await mkdir(join(media, folder), { recursive: true });
  for (const [index, name] of names.entries()) {
    const background = { r: index * 40, g: 90, b: 200 };
    const picture = sharp({ create: { ...imageSize, channels: 3, background } });
    await writeFile(join(media, 'boats', name), await picture.png().toBuffer());
  }
  const turned = sharp({ create: { ...imageSize, channels: 3, background: 'red' } });
  await writeFile(
    join(media, 'inbox', 'quay.jpg'),
    await turned.jpeg().withMetadata({ orientation: 6 }).toBuffer(),
  );
  emulator = await startEmulatorProcess({ media, data });
  token = await emulator.signIn();
  const listed = await emulator.fetch('/1/folder/2/files');
  const records = (await listed.json()) as { id: number; filename: string }[];
  const files = await Promise.all(
    records.map(async ({ id, filename }) => ({
      id,
      filename,
      bytes: await readFile(join(media, 'boats', filename)),
    })),
  );
  const known = { ...usage, ids: files.slice(0, 2).map(({ id }) => id) };
  const inbox = await (await emulator.fetch('/1/folder/4/files')).json();
  const rotated = (inbox as { id: number }[])[0]?.id ?? 0;
  world = { emulator, files, rotated, folders: { boats: 2, old: 3, inbox: 4 }, known };
});

afterAll(async () => {
  await emulator.stop();
  await Promise.all([media, data].map((folder) => rm(folder, { recursive: true })));
});

async function outcomeOf(
  method: ContractMethod,
  { settings = {}, options }: Variant,
): Promise<Outcome> {
  const client = createMediaService({
    baseUrl: emulator.url,
    clientId: 'emulator',
    clientSecret: 'emulator-secret',
    credentials: { kind: 'password', username: 'editor', password: 'harbour' },
    ...createTime(Date.now()).effects,
    ...options,
  });
  try {
    await contractMethods[method]({ ...world, client, settings });
    return 'works';
  } catch (thrown) {
    if (thrown instanceof OtherOutcome) return thrown.message;
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
  const { known } = world;
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

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileStateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { reportUsage } from '../../../src/usage/report/report-usage.ts';
import { manyPages, pairsOf, site, siteFields } from '../../support/ledger/usage-fixtures.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { tokenClient } from '../../support/service/token-client.ts';

let folder: string;
let emulator: EmulatorProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rate-limit-'));
  emulator = await startEmulatorProcess({ usages: 'append', seed: 5 });
  await writeFile(join(emulator.mediaDir, 'quay.txt'), 'The quay');
});

afterAll(async () => {
  await emulator.stop();
  await rm(folder, { recursive: true, force: true });
});

const shown = manyPages(10, { ids: () => [4711] });

test.each(['seconds', 'date'] as const)(
  'a service that limits one request in three, with Retry-After in %s, gets each request once',
  async (form) => {
    await emulator.reset();
    const accessToken = await emulator.signIn();
    await emulator.setFaults([
      { call: 'usage-report', kind: 'limit', rate: 1 / 3, retryAfter: 1, form },
    ]);
    const sent: number[] = [];
    const waits: { from: number; until: number }[] = [];
    const service = tokenClient(emulator.url, accessToken, {
      async fetch(...parameters) {
        sent.push(Date.now());
        const response = await fetch(...parameters);
        const retryAfter = response.headers.get('Retry-After');
        if (retryAfter !== null) {
          const from = Date.now();
          waits.push({ from, until: form === 'date' ? Date.parse(retryAfter) : from + 1000 });
        }
        return response;
      },
    });

    const result = await reportUsage({
      manifest: shown,
      fields: siteFields,
      service,
      store: fileStateStore({ path: join(folder, `${form}.json`) }),
      identity: { service: emulator.url, site, base: '/' },
      clock: Date.now,
      allowRemovals: false,
    });

    expect(result).toMatchObject({ outcome: 'done', reported: 10, unsent: 0 });
    const listed = emulator.usages().map((one) => `${one.page} ${one.asset} ${one.pageName}`);
    expect(listed.sort()).toEqual(pairsOf(shown));
    const limited = emulator.log().filter(({ status }) => status === 429);
    expect(limited.map(({ status, effect }) => [status, effect])).toEqual(
      limited.map(() => [429, false]),
    );
    expect(limited.length).toBeGreaterThan(2);
    expect(waits).toHaveLength(limited.length);
    const early = waits.flatMap(({ from, until }) =>
      sent.filter((time) => time > from && time < until).map((time) => until - time),
    );
    expect(early).toEqual([]);
  },
);

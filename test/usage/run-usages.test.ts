import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportUsage } from '../../src/usage/report/report-usage.ts';
import { openUsages } from '../../src/usage/run-usages.ts';
import { scriptedClient, startScriptedService } from '../service/scripted-service.ts';
import { manyPages } from '../support/ledger/usage-fixtures.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { builtRules, builtSettings } from '../support/site/built-folder.ts';

test.for([
  ["the site's concurrency", 11, { ...builtSettings, concurrency: 11 }],
  ['a concurrency of one', 1, { ...builtSettings, concurrency: 1 }],
  ["the option's default without a build's settings", 8, undefined],
] as const)('reports use %s', async ([, expected, settings]) => {
  const full = Promise.withResolvers<void>();
  let most = 0;
  let current = 0;
  const { url } = await startScriptedService({
    async respond(response) {
      current += 1;
      most = Math.max(most, current);
      // No request is answered before as many have arrived as are expected at once.
      if (current === expected) full.resolve();
      await full.promise;
      current -= 1;
      response.end();
    },
  });
  const usages = openUsages({
    rules: { ...builtRules, settings },
    service: url,
    store: undefined,
    root: await temporaryFolder('site-usages'),
    environment: {},
    markdown: { environment: {} },
    onWait() {},
    onFinding() {},
  });
  const service = scriptedClient(url, { concurrency: 64 });
  const manifest = manyPages(24);
  expect(await reportUsage({ ...usages, manifest, service })).toMatchObject({ reported: 24 });
  expect(most).toBe(expected);
});

test('in an outage of the store, the reason replaces a file with an older plan', async () => {
  const root = await temporaryFolder('site-usages');
  const file = join(root, 'plan.md');
  await writeFile(file, 'an older plan');
  const usages = openUsages({
    ...{ rules: builtRules, service: 'http://127.0.0.1:9', root, environment: {} },
    store: { redis: 'redis://127.0.0.1:9' },
    markdown: { environment: {}, file },
    onWait() {},
    onFinding() {},
  });
  const outage = { onError: 'warn', instead: () => 'stopped' } as const;
  expect(await usages.unlessOutage(usages.plan(manyPages(1)), outage)).toBe('stopped');
  expect(await readFile(file, 'utf8')).toContain('No plan: The store of the ledger');
});

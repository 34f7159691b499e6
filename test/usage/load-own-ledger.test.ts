import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Manifest } from '../../src/scan/manifest.ts';
import { fileStateStore } from '../../src/usage/file-state-store.ts';
import { type LedgerIdentity, ledgerFile } from '../../src/usage/ledger-identity.ts';
import { loadLedger } from '../../src/usage/load-ledger.ts';
import type { ReportRun } from '../../src/usage/report-usage.ts';
import { retirement } from '../../src/usage/retirement.ts';
import { manifestOf, pairsOf, site } from '../support/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../support/usage-site.ts';

let harbour: UsageSite;

beforeEach(async () => {
  harbour = await openUsageSite();
});

afterEach(() => harbour.close());

const open = (identity: LedgerIdentity) =>
  fileStateStore({ path: join(dirname(harbour.ledgerFile), ledgerFile(identity)) });

/** Reports below a base, with the ledger of that base. */
function report(base: string, manifest: Manifest, options: Partial<ReportRun> = {}) {
  const identity = { ...harbour.identity, base };
  return harbour.report(manifest, { identity, store: open(identity), ...options });
}

async function retire(base: string) {
  const identity = { ...harbour.identity, base };
  const { ledger } = await loadLedger(open(identity), identity);
  return report(base, retirement(ledger), { allowRemovals: true });
}

const known = async (base: string) => {
  const identity = { ...harbour.identity, base };
  return [...(await loadLedger(open(identity), identity)).ledger.pages.keys()];
};

const docs = manifestOf({ '/docs/': ['Docs', 1], '/docs/a/': ['A', 2, 3] });
const whole = manifestOf({ '/': ['Harbour', 1], '/docs/': ['Docs', 1], '/docs/a/': ['A', 2] });

test('a site that was merged into another one takes nothing from it when it is retired', async () => {
  await report('/docs', docs);
  await report('/', whole);
  harbour.server.log.length = 0;
  const retired = await retire('/docs');
  expect(retired).toMatchObject({ removed: 1, requests: 1, outcome: 'done' });
  expect(retired.findings).toContainEqual(
    expect.objectContaining({
      code: 'usages-shared',
      severity: 'notice',
      message: `2 usages that the pages no longer show are left in the service: the ledger of ${site} has reported them too.`,
    }),
  );
  expect(harbour.server.log).toMatchObject([{ removed: true, ids: [3] }]);
  expect(harbour.server.model.list()).toEqual(pairsOf(whole));
  expect(await known('/docs')).toEqual([]);
  expect(await report('/', whole)).toMatchObject({ requests: 0 });
  const less = manifestOf({ '/': ['Harbour', 1] });
  expect(await report('/', less)).toMatchObject({ removed: 2, outcome: 'done' });
  expect(harbour.server.model.list()).toEqual(pairsOf(less));
});

test('a part that became a site of its own keeps its usages, also where the guard would hold them', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => n + 1);
  const part = manifestOf({ '/docs/b/': ['B', ...ids] });
  await report('/', manifestOf({ '/': ['Harbour', 1], '/docs/b/': ['B', ...ids] }));
  await report('/docs', part);
  const rest = manifestOf({ '/': ['Harbour', 1] });
  expect(await report('/', rest)).toMatchObject({ requests: 0, held: 0, outcome: 'done' });
  expect(harbour.server.model.list()).toEqual([...pairsOf(rest), ...pairsOf(part)].sort());
  expect(await known('/')).toEqual([`${site}/`]);
});

test('an asset that was swapped on one of two sites stays where the other shows it', async () => {
  await report('/docs', docs);
  await report('/', docs);
  harbour.server.log.length = 0;
  const swapped = manifestOf({ '/docs/': ['Docs', 1], '/docs/a/': ['A', 2, 4] });
  expect(await report('/docs', swapped)).toMatchObject({ reported: 1, outcome: 'done' });
  expect(harbour.server.log).toMatchObject([{ removed: false, ids: [4] }]);
});

test.each<[string, () => Promise<unknown>]>([
  [
    'in doubt',
    async () => {
      harbour.server.treat = () => 'lost';
      await report('/', whole);
      harbour.server.treat = () => 'done';
    },
  ],
  [
    'of another service',
    async () => {
      const identity = { ...harbour.identity, service: 'https://dam.example' };
      await harbour.report(whole, { identity, store: open(identity) });
    },
  ],
  [
    'of another base',
    () => report('/docs/old', manifestOf({ '/docs/old/': ['Old', 1], '/docs/old/a/': ['A', 2] })),
  ],
])('what another ledger holds %s is removed', async (_, prepare) => {
  await report('/docs', docs);
  await prepare();
  expect(await retire('/docs')).toMatchObject({ removed: 3, outcome: 'done' });
});

test('what the ledger of a newer version may hold is not removed', async () => {
  await report('/docs', docs);
  await report('/', whole);
  const text = await readFile(harbour.ledgerFile, 'utf8');
  await writeFile(harbour.ledgerFile, text.replace('"version":2', '"version":3'));
  await expect(retire('/docs')).rejects.toThrow(`The ledger of ${site} has version 3`);
  expect(harbour.server.model.list()).toEqual(expect.arrayContaining(pairsOf(whole)));
});

test('a base is found however its letters are written', async () => {
  const page = manifestOf({ '/d%C3%B6rfer/': ['Dörfer', 1] });
  await report('/', page);
  await report('/dörfer', page);
  expect(await report('/', manifestOf({ '/': ['Harbour'] }))).toMatchObject({ requests: 0 });
  expect(harbour.server.model.list()).toEqual(pairsOf(page));
});

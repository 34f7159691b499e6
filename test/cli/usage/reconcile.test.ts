import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { forwardRequest } from '../../support/service/forward-request.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const site = 'https://harbour.example';
const ids = [4711, 4712] as const;

const { emulator } = await startEmulatorLibrary({ usages: 'append', removalMatches: 'all-fields' });
const folder = useBuiltFolder();

beforeEach(async () => {
  await folder.page('dist/index.html', 'Harbour', ...ids);
  await folder.page('dist/quay/index.html', 'The quay', ids[1]);
});

afterEach(() => {
  service = emulator.url;
  return emulator.reset();
});

let service = emulator.url;
const command = (name: string, ...words: string[]) =>
  folder.command([name, ...words, '--site', site, '--service', service], emulator.env);
const report = () => command('report', 'dist', '--yes');
const loseLedger = () => folder.remove('.media-asset');
const listed = () =>
  emulator
    .usages()
    .map(({ asset, page, pageName }) => `${asset} ${page} ${pageName}`)
    .sort();

test('reconcile repairs a lost ledger after everything was reported again', async () => {
  await report();
  await loseLedger();
  await report();
  await loseLedger();
  await folder.page('dist/quay/index.html', 'The old quay', ids[0]);

  const shown = await command('reconcile', 'dist');
  expect(shown.exitCode).toBe(4);
  expect(shown.stdout).toContain('listed, not shown');
  expect(shown.stdout).toContain('shown, not listed');
  expect(await readdir(folder.dir)).not.toContain('.media-asset');

  const repaired = await command('reconcile', 'dist', '--yes', '--json');
  expect(repaired.exitCode).toBe(0);
  expect(JSON.parse(repaired.stdout)).toMatchObject({ version: 1, repaired: true, assets: 2 });
  const wanted = [
    `${ids[0]} ${site}/ Harbour`,
    `${ids[0]} ${site}/quay/ The old quay`,
    `${ids[1]} ${site}/ Harbour`,
  ];
  expect(listed()).toEqual(wanted.sort());
  expect((await command('reconcile', 'dist')).stdout).toContain('No drift');
  expect((await report()).stdout).toContain('Nothing changed');
});

/** Passes requests on, and changes answers. */
async function changing(change: (url: string, answer: { status: number; text: string }) => object) {
  const { url, close } = await startLocalServer(async (request, response) => {
    const { status, headers, bytes } = await forwardRequest(emulator.url, request);
    const answer = { status, text: bytes.toString() };
    const changed = { ...answer, ...change(request.url ?? '', answer) };
    const own = { 'Content-Type': headers['content-type'] };
    response.writeHead(changed.status, own).end(changed.text);
  });
  onTestFinished(close);
  return url;
}

test('reconcile over the whole library closes the gap of a ledger, and no other does', async () => {
  const none = /^$/;
  let skipped = none;
  service = await changing((url, { text }) =>
    skipped.test(url) ? { text: JSON.stringify([...JSON.parse(text), { name: 'Quay' }]) } : {},
  );
  let builds = 0;
  const build = async (witness: object) => {
    builds += 1;
    const startedAt = `2026-03-01T08:00:0${builds}.000Z`;
    const own = { build: `b${builds}`, startedAt, witness };
    const rules = { service, project: 'harbour.example', finished: true };
    await folder.build({ ...rules, contact: rules.project, ...own });
    return { kind: 'read', history: 'h', build: own.build, startedAt };
  };
  const gaps = async () => JSON.parse((await command('status', '--json')).stdout).gaps;
  const first = await build({ kind: 'unread', problem: 'status 404' });
  await report();
  await loseLedger();
  await folder.remove('dist/quay');
  const second = await build(first);
  await report();
  const history = expect.arrayContaining([expect.objectContaining({ reason: 'lost' })]);
  expect(await gaps()).toMatchObject({ ledger: { reason: 'lost', detail: 'b1' }, history });
  for (const [paths, ...words] of [
    [none, '--yes'],
    [none, '--all'],
    [/foldertree/, '--all', '--yes'],
    [/folder.3.files/, '--all', '--yes'],
  ] as const) {
    skipped = paths;
    await command('reconcile', 'dist', ...words);
    const run = `${words.join(' ')}, skipping ${paths}`;
    expect((await gaps()).ledger, run).toMatchObject({ reason: 'lost' });
  }
  skipped = none;
  expect((await command('reconcile', 'dist', '--all', '--yes')).exitCode).toBe(0);
  expect(listed()).toEqual(ids.map((id) => `${id} ${site}/ Harbour`));
  expect(await gaps()).toMatchObject({ ledger: null, history });
  await build(second);
  expect((await report()).stderr).not.toContain('ledger-gap');
});

test.each([
  { status: 200, gap: null, left: [] },
  { status: 404, gap: null, left: [4712] },
  { status: 404, text: '<html>', gap: { reason: 'ledger-behind' }, left: [4712] },
  { status: 403, gap: { reason: 'ledger-behind' }, left: [4712] },
])(
  'the whole library has assets that only the history knows: %o',
  async ({ status, text: refusal = '{}', gap, left }) => {
    let builds = 0;
    const send = async () => {
      builds += 1;
      const rules = { service, project: 'harbour.example', contact: 'harbour.example' };
      const startedAt = `2026-03-01T08:00:0${builds}.000Z`;
      const witness = { kind: 'unread', problem: 'status 404' };
      await folder.build({ ...rules, finished: true, build: `b${builds}`, startedAt, witness });
      await report();
    };
    service = await changing((url, { text }) => {
      if (/4712.usage/.test(url)) return status === 200 ? {} : { status, text: refusal };
      if (!/folder.*files/.test(url)) return {};
      return {
        text: JSON.stringify(JSON.parse(text).filter(({ id }: { id: number }) => id !== 4712)),
      };
    });
    await folder.page('dist/index.html', 'Harbour', 4711);
    await folder.remove('dist/quay');
    await send();
    const names = await readdir(folder.path('.media-asset'));
    const ledger = `.media-asset/${names.find((name) => name.startsWith('ledger-'))}`;
    const older = await readFile(folder.path(ledger), 'utf8');
    await folder.page('dist/quay/index.html', 'The quay', 4712);
    await send();
    await folder.write(ledger, older);
    await folder.remove('dist/quay');
    await send();
    expect(emulator.usages().map(({ asset }) => asset)).toContain(4712);

    const { exitCode } = await command('reconcile', 'dist', '--all', '--yes');
    expect(exitCode).toBe(gap ? 3 : 0);
    const { gaps } = JSON.parse((await command('status', '--json')).stdout);
    expect(gaps.ledger).toEqual(gap && expect.objectContaining(gap));
    expect(emulator.usages().flatMap(({ asset }) => (asset === 4712 ? asset : []))).toEqual(left);
  },
);

const readLedger = async () => {
  const names = await readdir(folder.path('.media-asset'));
  const path = `.media-asset/${names.find((name) => name.startsWith('ledger-'))}`;
  return { path, ...JSON.parse(await readFile(folder.path(path), 'utf8')) };
};

/** Reports the pages, then one more that the ledger loses, and records a gap. */
async function fallBehind(...more: readonly number[]): Promise<void> {
  await report();
  const { path, ...older } = await readLedger();
  await folder.page('dist/old/index.html', 'Old', ...more);
  await report();
  await folder.remove('dist/old');
  const at = '2026-03-01T08:00:00.000Z';
  const gap = { site: `${site}/`, kind: 'gap', reason: 'ledger-behind', detail: 'b9', at };
  await folder.write(path, JSON.stringify({ ...older, gap }));
}

test.each([
  [{ status: 403, text: '{}' }],
  [{ status: 404, text: '{}' }],
  [{ text: '{"usages":[{"odd":true}]}' }],
])(
  'the gap stays if the service lists no usages of an asset that a page shows and no folder has: %o',
  async (refusal) => {
    let answer: object = refusal;
    service = await changing((url, { text }) => {
      if (/4712.usage/.test(url)) return answer;
      if (!/folder.*files/.test(url)) return {};
      const others = JSON.parse(text).filter(({ id }: { id: number }) => id !== 4712);
      return { text: JSON.stringify(others) };
    });
    await fallBehind(4712);
    const { exitCode, stderr } = await command('reconcile', 'dist', '--all', '--yes');
    expect(stderr).toContain('[listing-refused]');
    expect(exitCode).toBe(3);
    expect(await readLedger()).toMatchObject({ gap: { reason: 'ledger-behind' } });
    expect(listed()).toContain(`4712 ${site}/old/ Old`);
    answer = {};
    expect((await command('reconcile', 'dist', '--all', '--yes')).exitCode).toBe(0);
    expect((await readLedger()).gap).toBeUndefined();
    expect(listed()).not.toContain(`4712 ${site}/old/ Old`);
  },
);

test('what the service lists is repaired next to a list that it refuses, and counts as a part', async () => {
  service = await changing((url) => (/4712.usage/.test(url) ? { status: 403, text: '{}' } : {}));
  await fallBehind(4711, 4712);
  const { exitCode, stdout } = await command('reconcile', 'dist', '--all', '--yes', '--json');
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ repaired: false, report: { removed: 1 } });
  expect(listed().filter((usage) => usage.includes('/old/'))).toEqual([`4712 ${site}/old/ Old`]);
});

test('a list that is refused only during the repair is named, and nothing of it counts as repaired', async () => {
  let lists = 0;
  service = await changing((url) => {
    if (!/4712.usage.fields=any$/.test(url)) return {};
    lists += 1;
    return lists === 2 ? { status: 403, text: '{}' } : {};
  });
  await fallBehind(4712);
  const refused = await command('reconcile', 'dist', '--all', '--yes');
  expect(refused).toMatchObject({ exitCode: 4, stdout: 'Nothing was sent.\n' });
  expect(refused.stderr).toContain('[listing-refused]');
  expect(await readLedger()).toMatchObject({ gap: { reason: 'ledger-behind' } });
  lists = 0;
  const json = JSON.parse((await command('reconcile', 'dist', '--all', '--yes', '--json')).stdout);
  expect(json).toMatchObject({ repaired: false, report: { requests: 0 } });
  expect((await command('reconcile', 'dist', '--all', '--yes')).exitCode).toBe(0);
  expect((await readLedger()).gap).toBeUndefined();
  expect(listed()).not.toContain(`4712 ${site}/old/ Old`);
});

test('repeated usages of one asset close no gap after the list of another was refused', async () => {
  let lists = 0;
  service = await changing((url) => {
    if (!/4712.usage.fields=any$/.test(url)) return {};
    lists += 1;
    return lists === 2 ? { status: 403, text: '{}' } : {};
  });
  await report();
  await loseLedger();
  await folder.page('dist/index.html', 'Harbour', ids[0]);
  await folder.remove('dist/quay');
  await report();
  await fallBehind(4712);
  const { exitCode } = await command('reconcile', 'dist', '--all', '--yes');
  expect(exitCode).toBe(4);
  expect(listed().filter((usage) => usage.startsWith('4711'))).toEqual([`4711 ${site}/ Harbour`]);
  expect(await readLedger()).toMatchObject({ gap: { reason: 'ledger-behind' } });
});

test("reconcile names what it didn't look up, and --all finds the rest", async () => {
  await report();
  await loseLedger();
  await folder.remove('dist/quay');
  await folder.page('dist/index.html', 'Harbour', ids[0]);
  const stale = listed().filter((usage) => usage.startsWith(`${ids[1]} `));

  const some = await command('reconcile', 'dist', '--yes');
  expect(some.exitCode).toBe(0);
  expect(some.stderr).toContain('1 asset looked up.');
  expect(some.stderr).toMatch(/Assets that neither .* weren't looked up. .* --all /);
  expect(listed()).toEqual([`${ids[0]} ${site}/ Harbour`, ...stale].sort());

  const all = await command('reconcile', 'dist', '--all', '--json');
  expect(all.exitCode).toBe(4);
  expect(JSON.parse(all.stdout)).toMatchObject({ assets: 3, all: true, repaired: false });
  const repaired = await command('reconcile', 'dist', '--all', '--yes');
  expect(repaired.exitCode).toBe(0);
  expect(repaired.stderr).toContain('3 assets looked up: all of the library');
  expect(repaired.stderr).not.toContain("weren't looked up");
  expect(listed()).toEqual([`${ids[0]} ${site}/ Harbour`]);
  expect((await command('reconcile', 'dist', '--all')).stdout).toContain('No drift');
  expect((await report()).stdout).toContain('Nothing changed');
});

test('reconcile leaves usages of another project alone', async () => {
  await folder.page('shop/index.html', 'The shop', ...ids);
  const shop = ['--base', '/shop', '--project', 'Shop', '--contact', 'Shop team'];
  await report();
  await command('report', 'shop', '--yes', ...shop);
  const all = listed();
  expect(all).toHaveLength(5);

  const none = await command('reconcile', 'dist', '--yes');
  expect(none.exitCode).toBe(0);
  expect(none.stdout).toContain('No drift');
  expect(none.stdout).toContain(
    '2 usages of another project or contact, left alone (--json lists them).',
  );

  await loseLedger();
  const { stderr, stdout } = await command('reconcile', 'dist', '--yes');
  expect(stderr).toContain('right in the service, wrong in the ledger');
  expect(stdout).toBe('The ledger was repaired. Nothing had to be sent.\n');
  await folder.remove('dist/quay');
  const repaired = await command('reconcile', 'dist', '--yes', '--json');
  expect(repaired.exitCode).toBe(0);
  expect(JSON.parse(repaired.stdout)).toMatchObject({
    leftAlone: ids.map((id) => ({ page: `${site}/shop/`, id, project: 'Shop' })),
    report: { removed: 1 },
  });
  expect(listed()).toEqual(all.filter((usage) => !usage.includes('/quay/')));
});

test('a renamed site with a lost ledger takes over its usages by reconciling with its old name', async () => {
  await report();
  await loseLedger();
  const renamed = ['--project', 'Museum', '--contact', 'Keeper'];
  const names = () => emulator.usages().map(({ project, contact }) => `${project}, ${contact}`);
  const former = 'harbour.example, harbour.example';

  const alone = await command('reconcile', 'dist', '--yes', ...renamed);
  expect(alone.exitCode).toBe(0);
  expect(alone.stderr).toContain('3 usages of another project or contact, left alone');
  expect(names().sort()).toEqual([...Array(3).fill('Museum, Keeper'), ...Array(3).fill(former)]);

  const asFormer = ['--all', '--project', 'harbour.example', '--contact', 'harbour.example'];
  expect((await command('reconcile', 'dist', '--yes', ...asFormer)).exitCode).toBe(0);
  expect((await command('reconcile', 'dist', '--yes', ...renamed)).exitCode).toBe(0);
  expect(names()).toEqual(Array(3).fill('Museum, Keeper'));
  const again = await command('reconcile', 'dist', ...renamed);
  expect(again.stdout).toContain('No drift');
  expect(again.stdout).not.toContain('left alone');
});

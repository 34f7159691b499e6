import { readdir, readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { folder, server, site, token, useUsageProject, writePages } from './usage-project.ts';

useUsageProject();

let builds = 0;
beforeEach(() => {
  builds = 0;
});
const startedAt = () => `2026-03-01T08:00:${String(builds).padStart(2, '0')}.000Z`;
const online = (number: number) => {
  return { kind: 'read', history: 'h', build: `b${number}`, startedAt: startedAt() };
};

/** Rules of a build that begins while an earlier one is online: the last one, by default. */
async function build(rules: object = {}): Promise<void> {
  const witness = builds > 0 ? online(builds) : { kind: 'unread', problem: 'status 404' };
  builds += 1;
  const known = { service: server.url, project: 'Harbour', finished: true };
  const own = { build: `b${builds}`, startedAt: startedAt(), history: 'h', witness };
  await folder.build({ ...known, ...own, ...rules });
}

const command = (...words: string[]) =>
  folder.command(words, { MEDIA_ASSET_BASE_URL: server.url, ...token });
const json = async (...words: string[]) => {
  const { exitCode, stdout, stderr } = await command(...words, '--json');
  return { exitCode, stderr, ...JSON.parse(stdout) };
};
const send = () => json('report', 'dist', '--yes');
const status = async () => (await json('status')).gaps;
const listed = () => server.model.records.map(({ page, id }) => `${id} ${page}`).sort();

async function lose(pattern: RegExp): Promise<void> {
  for (const file of await readdir(folder.path('.media-asset'))) {
    if (pattern.test(file)) await folder.remove(`.media-asset/${file}`);
  }
}

const shown = [`4711 ${site}/`, `4712 ${site}/`, `4712 ${site}/quay/`];

/** A first build with two pages, and a second one with one of them, after a loss. */
async function reportAfter(loss: RegExp) {
  await build();
  await writePages();
  await send();
  await lose(loss);
  await folder.remove('dist/quay');
  await build();
  return send();
}

test('each report says that the list may be wrong, and so do plan and status', async () => {
  const found = await reportAfter(/^(?:ledger|history)-/);
  const gap = { kind: 'gap', reason: 'lost', detail: 'b1', site: `${site}/` };
  expect(found).toMatchObject({ exitCode: 0, reported: 2, gap });
  expect(found.stderr).toContain('[ledger-gap]');
  expect(listed()).toContain(shown[2]);
  await build();
  expect(await send()).toMatchObject({ exitCode: 0, gap, requests: 0 });
  const planned = await json('plan', 'dist');
  expect(planned.stderr).toContain('[ledger-gap]');
  expect(await status()).toMatchObject({ ledger: gap, history: [{ reason: 'new' }, gap] });
  expect((await command('status')).stdout).toContain('media-asset reconcile <folder> --all --yes');
});

test('the pages of a lost ledger that the history knows are removed or reported again', async () => {
  const found = await reportAfter(/^ledger-/);
  expect(found).toMatchObject({ exitCode: 0, gap: { reason: 'ledger-lost' }, removed: 1 });
  expect(found.stderr).not.toContain('ledger-missing');
  expect(listed()).toEqual(shown.slice(0, 2));
});

test('an older copy of the ledger alone is noticed, whatever the live site answers', async () => {
  const reported = async (rules?: object) => {
    await build(rules);
    return send();
  };
  await writePages();
  await reported();
  const [name = ''] = (await readdir(folder.path('.media-asset'))).filter((file) =>
    file.startsWith('ledger-'),
  );
  const older = await readFile(folder.path(`.media-asset/${name}`), 'utf8');
  await folder.page('dist/index.html', 'Harbour', 4713);
  await reported();
  await folder.write(`.media-asset/${name}`, older);
  const unread = { witness: { kind: 'unread', problem: 'no answer' } };
  const gap = { reason: 'ledger-behind', detail: 'b2' };
  await build(unread);
  expect((await json('plan', 'dist')).stderr).toContain(
    'the history knows a report of the build b2',
  );
  expect(await send()).toMatchObject({ exitCode: 0, gap });
  expect(await reported()).toMatchObject({ exitCode: 0, gap, requests: 0 });
});

test('no report that ended is a gap: a rollback, one that was refused, one of the same build', async () => {
  await writePages();
  await build();
  await send();
  const first = await readFile(folder.path('.media-asset/build.json'), 'utf8');
  await build();
  await send();
  await send();
  await folder.write('.media-asset/build.json', first);
  expect(await send()).toMatchObject({ exitCode: 1, error: { code: 'report-older-build' } });
  builds = 2;
  await build();
  expect((await send()).gap).toBeUndefined();
  await folder.write('.media-asset/build.json', first);
  expect((await json('report', 'dist', '--yes', '--rollback')).gap).toBeUndefined();
  builds = 3;
  await build();
  expect((await send()).gap).toBeUndefined();
});

test('the guard counts the pages of a lost ledger as known', async () => {
  await build();
  for (let page = 0; page < 12; page += 1) {
    await folder.page(`dist/${page}/index.html`, 'Page', 4711);
  }
  await folder.page('dist/index.html', 'Harbour', 4712);
  await send();
  await lose(/^ledger-/);
  for (let page = 0; page < 12; page += 1) await folder.remove(`dist/${page}`);
  await build();
  expect(await json('plan', 'dist')).toMatchObject({
    exitCode: 3,
    guard: { removals: 12, known: 13, held: true },
  });
  expect(await send()).toMatchObject({ exitCode: 3, held: 12 });
  expect(listed()).toHaveLength(13);
});

test('a lost ledger takes no page of another site below the same address', async () => {
  await build({ base: '/shop' });
  await folder.page('dist/index.html', 'Shop', 4713);
  await send();
  const [shop] = listed();
  await build({ witness: { kind: 'unread', problem: 'status 404' } });
  await writePages();
  expect((await send()).gap).toBeUndefined();
  await lose(/^ledger-/);
  await build();
  expect(await send()).toMatchObject({ gap: { reason: 'ledger-lost' } });
  expect(listed()).toEqual([...shown, shop].sort());
});

test('a ledger stays right next to a lost history, and a report says nothing', async () => {
  const { exitCode, gap, stderr } = await reportAfter(/^history-/);
  expect({ exitCode, gap }).toEqual({ exitCode: 0, gap: undefined });
  expect(stderr).not.toContain('ledger-gap');
  expect(listed()).toEqual(shown.slice(0, 2));
  const history = [{ reason: 'new' }, { kind: 'gap', reason: 'lost', detail: 'b1' }];
  expect(await status()).toMatchObject({ ledger: null, history });
});

describe('`retire` of a site whose', () => {
  const retire = () => json('retire', '--site', site, '--yes');
  const builds = async () => {
    const files = await readdir(folder.path('.media-asset'));
    const name = files.find((file) => file.startsWith('history-'));
    return JSON.parse(await readFile(folder.path(`.media-asset/${name}`), 'utf8')).builds;
  };

  test('ledger was lost removes what the history knows, and says that there may be more', async () => {
    await build();
    await writePages();
    await send();
    await lose(/^ledger-/);
    const gap = { reason: 'ledger-lost' };
    expect(await retire()).toMatchObject({ exitCode: 3, removed: 3, gap });
    expect(listed()).toEqual([]);
    expect(await retire()).toMatchObject({ exitCode: 3, requests: 0, gap: { kind: 'gap' } });
    expect(await builds()).toHaveLength(1);
  });

  test('ledger is an older copy removes what it knows, and says that there may be more', async () => {
    await build();
    await writePages();
    await send();
    const [name] = (await readdir(folder.path('.media-asset'))).filter((file) =>
      file.startsWith('ledger-'),
    );
    const older = await readFile(folder.path(`.media-asset/${name}`), 'utf8');
    await folder.page('dist/new/index.html', 'New', 4713);
    await build();
    await send();
    await folder.write(`.media-asset/${name}`, older);
    const found = await retire();
    expect(found).toMatchObject({ exitCode: 3, removed: 3, gap: { reason: 'ledger-behind' } });
    expect(found.stderr).toContain('[ledger-gap]');
    expect(listed()).toEqual([`4713 ${site}/new/`]);
    expect(await builds()).toHaveLength(2);
  });

  test('state is whole ends with 0, also the second time', async () => {
    await build();
    await writePages();
    await send();
    expect(await retire()).toMatchObject({ exitCode: 0, removed: 3 });
    expect(await builds()).toEqual([]);
    expect(await retire()).toMatchObject({ exitCode: 0, requests: 0 });
  });
});

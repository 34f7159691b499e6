import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SiteScan } from '../../../src/scan/scan-site.ts';
import type { BuildRules } from '../../../src/usage/build-rules.ts';
import { openStateStore, waitForLedger } from '../../../src/usage/ledger/open-state-store.ts';
import {
  addPublication,
  changeHistory,
  forgetGone,
  type KeptHistory,
  loadHistory,
  newHistory,
  type Publication,
  type PublicationHistory,
  type PublishedUrl,
  readPublication,
} from '../../../src/usage/ledger/publication-history.ts';
import { recordPublication } from '../../../src/usage/record-publication.ts';
import { identity, siteFields } from '../../support/ledger/usage-fixtures.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const { service } = identity;
const folder = 'https://harbour.example/_astro/';
const pathOf = (id: number, name = 'quay') =>
  `media-asset/${id}-${'a'.repeat(16)}-${'b'.repeat(16)}/${name}.webp`;
const now = Date.parse('2026-04-01T08:00:00.000Z');
const day = (number: number) => `2026-03-0${number}T08:00:00.000Z`;

/** The publication of a day's build: these assets, each with a file and on one page. */
function publicationOf(number: number, ...ids: number[]): Publication {
  return {
    build: day(number),
    urls: [
      { kind: 'stamp', url: `${folder}stamp-${number}.txt`, id: 0, hash: 'c'.repeat(32) },
      ...ids.flatMap((id): PublishedUrl[] => [
        { kind: 'file', url: folder + pathOf(id), id, hash: 'd'.repeat(32) },
        { kind: 'page', url: `https://harbour.example/${id}/`, id, hash: '' },
      ]),
    ],
  };
}

const historyOf = (...publications: Publication[]) =>
  publications.reduce<PublicationHistory>(addPublication, []);

/** Its assets' URLs, with the days of their first and last build. */
const spans = (history: PublicationHistory) =>
  history
    .filter(({ kind }) => kind !== 'stamp')
    .map(({ kind, id, first, last }) => `${kind} ${id}: ${first[9]}-${last[9]}`)
    .sort();

test('a publication has files of ours and links to them, but no other links', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'published-'));
  const path = (id: number) => join(dir, pathOf(id).replace('/quay.webp', '-quay.webp'));
  await mkdir(join(dir, 'media-asset'));
  await writeFile(path(1), 'pixels');
  await symlink(path(1), path(2));
  await symlink(join(dir, 'missing'), path(3));
  await symlink(dir, path(4), 'junction');
  const rules = { site: 'https://harbour.example', base: '/' } as BuildRules;
  const found = await readPublication(dir, rules, { pages: [], excluded: [], links: new Map() });
  await rm(dir, { recursive: true });
  expect(found.urls.map(({ id }) => id)).toEqual([1, 2]);
});

test('a publication has files in linked folders too, by each URL that gives them out', async () => {
  const dir = await temporaryFolder('published');
  const elsewhere = await temporaryFolder('elsewhere');
  const name = (id: number) => pathOf(id).replace('/quay.webp', '-quay.webp');
  for (const [root, id] of [
    [dir, 1],
    [elsewhere, 2],
  ] as const) {
    await mkdir(join(root, 'media-asset'));
    await writeFile(join(root, name(id)), 'pixels');
  }
  await mkdir(join(dir, 'a'));
  await symlink(join(dir, 'media-asset'), join(dir, 'a/media-asset'), 'junction');
  await symlink(elsewhere, join(dir, 'archive'), 'junction');
  const rules = { site: 'https://harbour.example', base: '/' } as BuildRules;
  const found = await readPublication(dir, rules, { pages: [], excluded: [], links: new Map() });
  expect(found.urls.map(({ url }) => url)).toEqual([
    `https://harbour.example/a/${name(1)}`,
    `https://harbour.example/archive/${name(2)}`,
    `https://harbour.example/${name(1)}`,
  ]);
});

describe('the history', () => {
  test('keeps what later builds lack, with its first and last build', () => {
    const history = historyOf(publicationOf(1, 1, 2), publicationOf(2, 2), publicationOf(3, 2));
    expect(spans(history)).toEqual(['file 1: 1-1', 'file 2: 1-3', 'page 1: 1-1', 'page 2: 1-3']);
  });

  test('is the same in any order of the builds, and has the newest hash of a URL', () => {
    const other = publicationOf(2, 1);
    const changed = other.urls.map((one) => ({ ...one, hash: 'e'.repeat(32) }));
    const builds = [publicationOf(1, 1, 2), { ...other, urls: changed }, publicationOf(3, 3)];
    const sorted = (...given: Publication[]) =>
      historyOf(...given).toSorted((one, two) =>
        one.kind + one.url < two.kind + two.url ? -1 : 1,
      );
    const history = sorted(...builds);
    expect(sorted(...builds.toReversed())).toEqual(history);
    expect(history.find(({ id }) => id === 1)?.hash).toBe('e'.repeat(32));
  });

  const read = async (text: string) => {
    const store = { name: 'history.json', read: async () => ({ text, tag: '' }) };
    return (await loadHistory(store, service, now)) ?? expect.fail();
  };

  /** The text of a history in its store. */
  const textWith = async (kept: KeptHistory, of = service) => {
    let text = '';
    const write = async (chunks: Iterable<string>) => {
      text = [...chunks].join('');
      return '';
    };
    const lease = { renew: async () => {}, write, release: async () => {} };
    const store = { name: 'history.json', read: async () => undefined, lock: async () => lease };
    await changeHistory({ store, service: of, now }, () => kept);
    return text;
  };

  test('is read as it was written', async () => {
    const several = publicationOf(2, 3);
    const page = { kind: 'page', url: 'https://harbour.example/3/', id: 4, hash: '' } as const;
    const history = historyOf(publicationOf(1, 1, -2), {
      ...several,
      urls: [...several.urls, page],
    });
    const build = day(2);
    const originals = { 'https://harbour.example/': { build, sealed: 'c2VhbGVk' } };
    const at = day(3);
    const kept: KeptHistory = {
      ...{ id: 'harbour', history, originals, completeBefore: day(1) },
      builds: [{ site: 'https://harbour.example/', build: 'b1', startedAt: build }],
      gaps: [{ site: '', kind: 'not known', reason: 'new', detail: '', at }],
    };
    const { tag: _, ...found } = await read(await textWith(kept));
    expect({ ...found, history: new Set(found.history) }).toEqual({
      ...kept,
      history: new Set(history),
    });
  });

  const textOf = (of: string, ...ids: number[]) =>
    textWith({ ...newHistory(now), history: historyOf(publicationOf(1, 1, ...ids)) }, of);

  test.each<[string, string | Promise<string>, string]>([
    ['text', 'no history', "it isn't valid JSON"],
    ['a part', textOf(service).then((text) => text.slice(0, 200)), "it isn't valid JSON"],
    ['a newer version', JSON.stringify({ version: 3 }), 'version'],
    ['another service', textOf('https://other.example'), "it's about"],
  ])('refuses %s', async (_, text, problem) => {
    await expect(read(await text)).rejects.toThrow(
      expect.objectContaining({
        code: 'history-broken',
        message: expect.stringContaining(problem),
      }),
    );
  });

  test.each([
    ['without a web address', '"https://harbour.example/2/"', '"ftp://harbour.example/2/"'],
    ['without a whole address', '"https://harbour.example/2/"', '"https://"'],
    ['without an address', '"https://harbour.example/2/"', '2'],
    ['with another hash', '"",[2]', '"x",[2]'],
    ['without a hash', '"",[2]', 'null,[2]'],
    ['without a list of IDs', '"",[2]', '"",2'],
    ['with a text next to an ID', '"",[2]', '"",[2,"3"]'],
    ['with a part of an ID', '"",[2]', '"",[2.5]'],
  ])('refuses an entry %s next to a good one', async (_, part, other) => {
    const text = await textOf(service, 2);
    expect(text).toContain(part);
    await expect(read(text.replace(part, other))).rejects.toThrow(
      expect.objectContaining({
        code: 'history-broken',
        message: expect.stringContaining('entries.2.urls: expected lists of a URL'),
      }),
    );
  });

  test("counts a time in the future as now, so that later builds aren't older", async () => {
    const future = { ...publicationOf(1, 1), build: '2027-04-05T08:00:00.000Z' };
    const text = await textWith({ ...newHistory(now), history: historyOf(future) });
    const { history } = await read(text);
    expect(new Set(history.flatMap(({ first, last }) => [first, last]))).toEqual(
      new Set([new Date(now).toISOString()]),
    );
  });

  test('forgets only what was proved gone, and that no newer or last build publishes', () => {
    const proven = historyOf(publicationOf(1, 1, 2, 3), publicationOf(2, 3));
    const gone = proven.filter(({ kind }) => kind !== 'stamp');
    const left = (history: PublicationHistory) =>
      spans(forgetGone({ history, builds: [] }, gone, []).history);
    expect(left(proven)).toEqual(['file 3: 1-2', 'page 3: 1-2']);
    const now = historyOf(publicationOf(3, 2), publicationOf(4, 4)).reduce<PublicationHistory>(
      (known, { kind, url, id, hash, last }) =>
        addPublication(known, { build: last, urls: [{ kind, url, id, hash }] }),
      proven,
    );
    expect(left(now)).toEqual(['file 2: 1-3', 'file 4: 4-4', 'page 2: 1-3', 'page 4: 4-4']);
  });

  test.each<[online: string[], entries: string[], builds: string[]]>([
    [['b4'], [], ['b1', 'b4']],
    [['b1'], [], ['b1', 'b4']],
    [['b3'], ['file 1: 2-3', 'page 1: 2-3'], ['b1', 'b2', 'b3', 'b4']],
    [[], [], ['b1', 'b4']],
  ])(
    'forgets the builds that may have what it forgets, with %j online',
    (online, entries, names) => {
      const history = historyOf(
        ...[[], [1], [1], []].map((ids, at) => publicationOf(at + 1, ...ids)),
      );
      const builds = [1, 2, 3, 4].map((number) => {
        return { site: 'https://harbour.example/', build: `b${number}`, startedAt: day(number) };
      });
      const gone = history.filter(({ kind }) => kind !== 'stamp');
      const left = forgetGone({ history, builds }, gone, online);
      expect(spans(left.history)).toEqual(entries);
      expect(left.builds.map(({ build }) => build)).toEqual(names);
    },
  );
});

describe('the history in a store', () => {
  let root: string;

  beforeEach(async () => {
    root = await temporaryFolder('history');
  });

  const open = (own = identity) => {
    const place = { store: undefined, root, identity: own, kind: 'history' } as const;
    return waitForLedger(openStateStore(place), { onWait() {} });
  };
  const record = (publication: Publication, store = open()) =>
    changeHistory({ store, service }, (known) => ({
      ...known,
      history: addPublication(known.history, publication),
    }));
  const kept = async () => (await loadHistory(open(), service))?.history;

  test('loses nothing of runs at the same time', async () => {
    const ids = Array.from({ length: 6 }, (_, at) => at + 1);
    await Promise.all(ids.map((id) => record(publicationOf(1, id), open())));
    expect((await kept())?.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  }, 60_000);

  test("is the same one after the site has moved, and another service's isn't", async () => {
    const moved = { ...identity, site: 'https://new.example', base: '/docs' };
    expect(open({ ...identity, service: 'https://other.example' }).name).not.toBe(open().name);
    await record(publicationOf(1, 1), open(moved));
    expect(spans((await kept()) ?? [])).toContain('page 1: 1-1');
  });

  test('keeps what the newest build knew of its originals', async () => {
    const history = open();
    const store = openStateStore({ store: undefined, root, identity, kind: 'ledger' });
    const scan = { pages: [], excluded: [], links: new Map() } as unknown as SiteScan;
    const site = { site: identity.site, base: '/' } as BuildRules;
    for (const number of [2, 1, 3, 2]) {
      const rules = { ...site, startedAt: day(number), originals: `of day ${number}` };
      const state = { history, store, identity, fields: siteFields, clock: () => now };
      const publication = await readPublication(root, rules, scan, now);
      await recordPublication(state, scan, { rules, publication, signal: undefined });
    }
    const { originals } = (await loadHistory(history, service)) ?? {};
    expect(originals).toEqual({
      'https://harbour.example/': { build: day(3), sealed: 'of day 3' },
    });
  });

  test('is never overwritten if it is broken', async () => {
    await record(publicationOf(1, 9));
    await writeFile(open().name, '{');
    await expect(record(publicationOf(1, 1))).rejects.toMatchObject({ code: 'history-broken' });
    expect((await open().read())?.text).toBe('{');
  });
});

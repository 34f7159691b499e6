import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import * as z from 'zod';
import { fileDigest, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { parseJson } from '../../errors/wording.ts';
import type { Manifest } from '../../scan/manifest.ts';
import { basePath } from '../../scan/page-url.ts';
import { isFile, servedFiles } from '../../scan/read/site-files.ts';
import type { SiteScan } from '../../scan/scan-site.ts';
import { sha256 } from '../../storage/digest.ts';
import { underLease } from '../../storage/lease.ts';
import type { BuildRules } from '../build-rules.ts';
import { builtSchema, type Gap, gapSchema, type RecordedBuild } from './gaps.ts';
import { pastTime } from './last-run.ts';
import type { StateStore } from './open-state-store.ts';

/**
 * Everything that was ever published of a service's assets. It's append only: an entry goes once
 * `media-asset withdraw` has proved that it's gone.
 */
export type PublicationHistory = readonly Published[];

export interface Published extends PublishedUrl {
  /** The start of the first and the last build with it, ISO 8601 in UTC. */
  readonly first: string;
  readonly last: string;
}

export interface PublishedUrl {
  /**
   * `file` gives out the asset, and `page` shows it, as does `excluded`, which is never reported. `stamp`
   * is of no asset: builds put it next to their files, so it shows that a host has them.
   */
  readonly kind: (typeof kinds)[number];
  /** Absolute. */
  readonly url: string;
  /** The asset's ID; 0 for a stamp. */
  readonly id: number;
  /** The first digits of its bytes' SHA-256, in hexadecimal. Empty for pages, and for files on another server. */
  readonly hash: string;
}

/** What a build publishes. `build`: its start, ISO 8601 in UTC. */
export type Publication = Readonly<Awaited<ReturnType<typeof readPublication>>>;

const kinds = ['stamp', 'file', 'page', 'excluded'] as const;

export const isPage = ({ kind }: Pick<PublishedUrl, 'kind'>) =>
  kind === 'page' || kind === 'excluded';

function keyOf({ kind, id, url }: PublishedUrl): string {
  return `${kind} ${id} ${url}`;
}

/** The history with a build's publication, in any order of the builds. Nothing that it knows goes. */
export function addPublication(
  known: PublicationHistory,
  { build, urls }: Publication,
): PublicationHistory {
  const entries = new Map(known.map((one) => [keyOf(one), one]));
  for (const one of urls) {
    const before = entries.get(keyOf(one)) ?? { ...one, first: build, last: build };
    const newest = before.last > build ? before : { ...one, last: build };
    entries.set(keyOf(one), { ...newest, first: before.first < build ? before.first : build });
  }
  return [...entries.values()];
}

/**
 * The history without entries that were proven gone, and without the builds that may have them, because
 * it no longer knows their URLs. An entry that a newer build has published since stays, and one of a
 * build that's online, or of a folder's last build: it may not be deployed yet.
 *
 * @param online the builds that are online
 */
export function forgetGone(
  { history, builds }: Pick<KeptHistory, 'history' | 'builds'>,
  gone: readonly Published[],
  online: readonly string[],
): Pick<KeptHistory, 'history' | 'builds'> {
  const proven = new Map(gone.map((one) => [keyOf(one), one.last]));
  const stamps = newestFirst(history.filter(({ kind }) => kind === 'stamp'));
  const current = new Set(
    Array.from(Map.groupBy(stamps, folderOf).values(), ([newest]) => newest?.last),
  );
  const live = builds.filter(({ build }) => online.includes(build));
  const mayHave = ({ startedAt }: RecordedBuild, { first, last }: Published) =>
    first <= startedAt && startedAt <= last;
  const isOver = (one: Published) =>
    proven.get(keyOf(one)) === one.last &&
    !current.has(one.last) &&
    !live.some((build) => mayHave(build, one));
  const over = history.filter(isOver);
  return {
    history: history.filter((one) => !isOver(one)),
    builds: builds.filter((build) => !over.some((one) => mayHave(build, one))),
  };
}

export function newestFirst(entries: readonly Published[]): Published[] {
  return entries.toSorted((one, other) => (one.last < other.last ? 1 : -1));
}

/** The URL of a stamp's folder, with a slash at the end. */
export function folderOf({ url }: Pick<Published, 'url'>): string {
  return new URL('.', url).href;
}

export interface KeptHistory {
  /** Its random identity, which the witness names. */
  readonly id: string;
  readonly history: PublicationHistory;
  /** The builds that it has recorded, of all sites. */
  readonly builds: readonly RecordedBuild[];
  /** Why it may lack URLs. A person closes a gap, or a report of the build that it's about. */
  readonly gaps: readonly Gap[];
  /** A person says that everything published before this time is known, ISO 8601 in UTC. */
  readonly completeBefore?: string | undefined;
  /**
   * What the last reported build of a site knew of its originals, by the URL of the site with its base.
   * Only builds of the site can read it. `build`: its start, ISO 8601 in UTC.
   */
  readonly originals: Readonly<Record<string, { readonly build: string; readonly sealed: string }>>;
}

const version = 2;
const time = z.iso.datetime();

type UrlRow = readonly [url: string, hash: string, ids: readonly number[]];

/** A history has thousands of them, and Zod takes ten times as long for each. */
const rows = z.custom<readonly UrlRow[]>(
  (value) => Array.isArray(value) && value.every(isRow),
  'expected lists of a URL, the start of a hash, and IDs',
);

function isRow(value: unknown): value is UrlRow {
  const [url, hash, ids] = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    typeof url === 'string' &&
    /^https?:/.test(url) &&
    URL.canParse(url) &&
    typeof hash === 'string' &&
    /^[0-9a-f]*$/.test(hash) &&
    Array.isArray(ids) &&
    ids.every(Number.isSafeInteger)
  );
}

const schema = z.strictObject({
  version: z.literal(version),
  service: z.string(),
  id: z.string(),
  builds: z.array(builtSchema),
  gaps: z.array(gapSchema),
  completeBefore: time.optional(),
  originals: z.record(z.string(), z.strictObject({ build: time, sealed: z.string() })).default({}),
  entries: z.array(z.strictObject({ kind: z.enum(kinds), first: time, last: time, urls: rows })),
});

/** A history that begins now. Nothing is known of what was published before. */
export function newHistory(now: number): KeptHistory {
  const at = new Date(now).toISOString();
  const gap = { site: '', kind: 'not known', reason: 'new', detail: '', at } as const;
  return { id: randomUUID(), history: [], builds: [], gaps: [gap], originals: {} };
}

/** The history as JSON, with a line for each URL. */
function formatHistory({ history, ...kept }: KeptHistory, service: string): string {
  const groups = Map.groupBy(history, ({ kind, first, last }) =>
    JSON.stringify({ kind, first, last }).slice(0, -1),
  );
  const entries = Array.from(groups, ([head, group]) => {
    const rows = Map.groupBy(group, ({ url, hash }) => JSON.stringify([url, hash]).slice(0, -1));
    const lines = Array.from(rows, ([row, same]) => `${row},[${same.map(({ id }) => id)}]]`);
    return `${head},"urls":[\n${lines.join(',\n')}\n]}`;
  });
  const head = JSON.stringify({ version, service, ...kept }).slice(0, -1);
  return `${head},"entries":[\n${entries.join(',\n')}\n]}\n`;
}

/**
 * Reads a history. A time in the future is from a wrong clock, and counts as `now` (ms since the epoch).
 *
 * @throws `history-broken`, also for a history of another version or service
 */
function parseHistory(
  text: string,
  { path, service, now }: { path: string; service: string; now: number },
): KeptHistory {
  const broken = (problem: string, cause?: unknown) =>
    mediaAssetError('history-broken', { path, problem }, { cause });
  const data = parseJson(text, schema, broken);
  if (data.service !== service) throw broken(`it's about ${data.service}, not ${service}`);
  const past = (at: string) => pastTime(at, now);
  const history = data.entries.flatMap(({ urls, first, last, kind }) => {
    const group = { kind, first: past(first), last: past(last) };
    return urls.flatMap(([url, hash, ids]) => ids.map((id) => ({ ...group, url, hash, id })));
  });
  const { id, completeBefore, originals } = data;
  const builds = data.builds.map((one) => ({ ...one, startedAt: past(one.startedAt) }));
  const gaps = data.gaps.map((gap) => ({ ...gap, at: past(gap.at) }));
  return { id, history, builds, gaps, completeBefore, originals };
}

/** Reads the history; `undefined` if there is none yet. */
export async function loadHistory(
  store: Pick<StateStore, 'name' | 'read'>,
  service: string,
  now = Date.now(),
): Promise<(KeptHistory & { readonly tag: string }) | undefined> {
  const state = await store.read();
  if (!state) return undefined;
  return { ...parseHistory(state.text, { path: store.name, service, now }), tag: state.tag };
}

/** Changes the history while no other run can. `isNew`: there was none. */
export async function changeHistory(
  given: { store: StateStore; service: string; signal?: AbortSignal | undefined; now?: number },
  change: (known: KeptHistory, isNew: boolean) => KeptHistory,
): Promise<void> {
  const { store, service, signal, now = Date.now() } = given;
  await underLease(store.lock(signal), async (lease) => {
    const kept = await loadHistory(store, service, now);
    const { tag, ...known } = { tag: undefined, ...(kept ?? newHistory(now)) };
    await lease.write([formatHistory(change(known, tag === undefined), service)], tag);
  });
}

const filesAtOnce = 8;

const hashLength = 32;

/**
 * Finds what a build publishes: each of our files in its output, at all URLs that a host can serve it
 * from, and every URL on its pages that names an asset.
 */
export async function readPublication(
  dir: string,
  { site, base, assetsPrefixes = [], stamp, startedAt }: BuildRules,
  { pages, excluded, links }: Pick<SiteScan, 'pages' | 'excluded' | 'links'>,
  now = Date.now(),
) {
  const roots = [basePath(base), ...assetsPrefixes].map(
    (root) => new URL(`${root.replace(/\/+$/, '')}/`, site).href,
  );
  const found = servedFiles(dir, () => true)
    .sort()
    .map((file) => ({ file, address: parseRenditionUrl(file) }))
    .filter(({ file, address }) => (address || file === stamp) && isFile(join(dir, file)));
  const files = await pLimit(filesAtOnce).map(found, async ({ file, address }) => {
    // A file that is published unchanged can be large, and its URL already has a part of its hash.
    const hash =
      address?.digest === fileDigest
        ? address.sourceHash
        : sha256(await readFile(join(dir, file))).slice(0, hashLength);
    const [kind, id] = address ? (['file', address.id] as const) : (['stamp', 0] as const);
    const path = encodeURI(file).replace(/[?#]/g, encodeURIComponent);
    return roots.map((root) => ({ kind, url: root + path, id, hash }));
  });
  const linked = Array.from(
    links,
    ([url, id]): PublishedUrl => ({ kind: 'file', url, id, hash: '' }),
  );
  const shownBy = (kind: 'page' | 'excluded', of: Manifest['pages']) =>
    of.flatMap(({ page, assets }) =>
      assets.map((id): PublishedUrl => ({ kind, url: page, id, hash: '' })),
    );
  const shown = [...shownBy('page', pages), ...shownBy('excluded', excluded)];
  // A link to one of the files has no hash.
  const urls: readonly PublishedUrl[] = [...linked, ...files.flat(), ...shown];
  return { build: pastTime(startedAt, now), urls };
}

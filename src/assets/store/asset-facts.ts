import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { answerKinds } from '../../service/read-records.ts';
import { digest } from '../../storage/digest.ts';
import { errorCode } from '../../storage/file-problems.ts';
import { retryLockedFile } from '../../storage/retry-locked-file.ts';
import { creditSchema } from '../formats/credit.ts';
import { guardedSchema } from '../formats/detect-file-type.ts';
import { type RenditionSource, renditionSchema, versionSchema } from '../formats/rendition.ts';
import * as imageSource from '../formats/source.ts';

export const placeSchema = z.object({
  file: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
});

/** When a page last named it, in milliseconds since the epoch. */
const lastUsed = z.number();

const issuedSchema = z.discriminatedUnion('as', [
  renditionSchema.extend({
    as: z.literal('rendition'),
    /** What a page asks for, as it's written in JavaScript, and where. */
    crop: z.string().optional(),
    place: placeSchema.optional(),
    lastUsed,
  }),
  z.object({
    as: z.literal('file'),
    source: z.object({ reference: imageSource.fileReferenceSchema, hash: imageSource.hashSchema }),
    contentType: z.string(),
    guarded: guardedSchema,
    lastUsed,
  }),
  /** The service's own URL in pages. */
  z.object({ as: z.literal('link'), source: versionSchema, lastUsed }),
]);

/** What pages in one language depend on in a record. */
export const outcomeSchema = z.object({
  digest: z.string(),
  mayShow: z.boolean(),
  /** The last day on which it may be shown, in UTC. */
  until: z.string().optional(),
  /** Whether its rights are unknown, and so their end. */
  isUnknown: z.boolean().optional(),
});

const recordSchema = z.object({
  /** As the service answered them; null if it doesn't list the asset. */
  fields: z.record(z.string(), z.unknown()).nullable(),
  /** The fields of texts by language, which the site asks for by locale. */
  texts: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  /** The deciding fields that no answer is known to carry. */
  lacking: z.array(z.string()).readonly(),
  /** The answers that the fields are from. */
  answers: z.array(z.enum(answerKinds)).readonly(),
  /** The requested fields for texts and for rights, and those that may be missing. */
  asked: z.string(),
  /** The folder whose list has the asset, if it's known. */
  folder: z.int().nullable(),
  /** In milliseconds since the epoch. */
  checkedAt: z.number(),
  /** By the languages that pages ask for. */
  outcomes: z.record(z.string(), outcomeSchema),
});

/** A version of an original that someone has chosen crops on, or accepted for them. */
const reviewedSchema = z.object({
  ...{ width: z.int(), height: z.int() },
  /** See `takeFingerprint`, as base64. `undefined` if the bytes weren't here. */
  fingerprint: z.string().optional(),
  /** What they have shown, in pixels of the original, by the crop as it's written in JavaScript. */
  crops: z.record(z.string(), renditionSchema.shape.rectangle),
  /** With `changed: 'keep'`: what the keys of its renditions depend on. */
  kept: z.object({ source: imageSource.imageSchema, credit: creditSchema.optional() }).optional(),
});

/** The content of `facts.json` in an asset's folder. Increase the version when the facts change. */
const factsSchema = z.object({
  version: z.literal(4),
  /** When the asset was last checked with the service, in milliseconds since the epoch. */
  checkedAt: z.number().optional(),
  record: recordSchema.optional(),
  /** The newest version of the original, the file and each crop, by `sourceName`. */
  sources: z.record(z.string(), imageSource.sourceSchema),
  /** Of an asset with crops on pages: by the hash of its original. */
  reviewed: z.record(imageSource.hashSchema, reviewedSchema).optional(),
  /** What pages may name: by rendition key, or by the service's own URL. */
  issued: z.record(z.string(), issuedSchema),
});

/** What builds without a cache start with, by asset ID: see `AssetStore.keep`. */
export const keptFactsSchema = z.record(
  z.string(),
  factsSchema.omit({ version: true, issued: true }).extend({
    /** The version of their pixels. */
    pixels: z.number().optional(),
    /** Placeholders and attention points as base64, by key. */
    made: z.record(z.string(), z.string()),
    /** The first digits of the SHA-256 of the renditions as the build wrote them, by key. */
    renditions: z.record(z.string(), z.string()),
  }),
);
export type KeptFacts = z.output<typeof keptFactsSchema>;

/** Everything that's known of an asset, except its bytes. */
export type AssetFacts = z.output<typeof factsSchema>;
export type Reviewed = z.output<typeof reviewedSchema>;
export type StoredRecord = z.output<typeof recordSchema>;
export type RecordOutcome = z.output<typeof outcomeSchema>;
export type Issued = z.output<typeof issuedSchema>;

export const factsName = 'facts.json';

function emptyFacts(): AssetFacts {
  return { version: 4, sources: {}, issued: {} };
}

/** Reads the facts in an asset's folder; `undefined` if they're missing or damaged. */
export function readFacts(folder: string): AssetFacts | undefined {
  try {
    const read = factsSchema.safeParse(JSON.parse(readFileSync(join(folder, factsName), 'utf8')));
    return read.data;
  } catch (thrown) {
    if (thrown instanceof SyntaxError || errorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/**
 * The facts without entries that no build has used since a time, their sources, and the crops of
 * replaced originals that no page keeps.
 *
 * @param before in ms since the epoch. Younger sources stay
 */
export function pruneFacts(facts: AssetFacts, before: number): AssetFacts {
  const { original, file } = facts.sources;
  const issued = pick(facts.issued, ({ lastUsed }) => lastUsed >= before);
  const used = new Set(Object.values(issued).map(({ source }) => sourceName(source.reference)));
  const kept = Object.values(facts.reviewed ?? {}).map((version) => version.kept?.source);
  const versions = [original, file, ...kept].flatMap((source) => source?.hash ?? []);
  const sources = pick(facts.sources, ({ reference, fetchedAt }, name) => {
    const isCrop = reference.kind === 'custom-format';
    if (isCrop && versions.length > 0 && !versions.includes(reference.original)) return false;
    return fetchedAt >= before || (isCrop ? used.has(name) : used.size > 0);
  });
  return { ...facts, sources, issued };
}

/** Whether nothing is left of an asset that a build has used since a time. */
export function isUnused({ record, sources, issued }: AssetFacts, before: number): boolean {
  const left = Object.keys(sources).length + Object.keys(issued).length;
  return left === 0 && (record?.checkedAt ?? before) <= before;
}

function pick<T>(
  all: Readonly<Record<string, T>>,
  isKept: (value: T, name: string) => boolean,
): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => isKept(value, name)));
}

/** How pages use an asset, by what they name of it. */
export function kindOf(issued: Iterable<Issued>): imageSource.SourceKind {
  return [...issued].every(({ source }) => source.reference.kind === 'file') ? 'file' : 'original';
}

export function sourceName(reference: imageSource.SourceReference): string {
  const { kind } = reference;
  return kind === 'custom-format' ? `crop-${digest(imageSource.sourceKey(reference))}` : kind;
}

/** The prefix of all keys that are made from this version of a source. */
export function sourcePrefix({ reference, hash }: RenditionSource): string {
  return `${reference.id}-${hash.slice(0, 16)}`;
}

/** The prefixes of what is made for these entries. Attention is of the original, not of its crop. */
export function prefixesFor(issued: readonly Issued[]): Set<string> {
  const originals = issued.map(({ source }) => ({
    ...source,
    hash: imageSource.assetVersion(source),
  }));
  return new Set([...issued.map(({ source }) => source), ...originals].map(sourcePrefix));
}

export type FactsFile = ReturnType<typeof openFactsFile>;

/** Opens the facts of one asset: those in its file, and those that aren't written yet. */
export function openFactsFile(folder: string, temporary: string) {
  const path = join(folder, factsName);
  /** Identifies the file that was read or written last. */
  let stamp = '';
  let stored = emptyFacts();
  let noted: AssetFacts | undefined;
  let recalled: Partial<AssetFacts> | undefined;
  let both = emptyFacts();
  refresh();

  function refresh(): void {
    if (stampOf(path) !== stamp) put(readFacts(folder) ?? emptyFacts());
  }

  function put(facts: AssetFacts): void {
    stamp = stampOf(path);
    // Another build may have begun, and knows more.
    const isEmpty = Object.keys(facts.sources).length === 0;
    const sources = recalled?.sources ?? {};
    stored = isEmpty ? { ...recalled, ...facts, sources } : facts;
    both = joinFacts(stored, noted);
  }

  /** Changes the file, which is written as a whole. No other process sees a part of it. */
  async function change(work: (stored: AssetFacts) => AssetFacts): Promise<void> {
    const file = join(temporary, crypto.randomUUID());
    try {
      await inFolders([temporary, folder], async () => {
        // Nothing is awaited between reading and writing, so that no other work comes in between.
        refresh();
        const facts = work(stored);
        writeFileSync(file, JSON.stringify(facts));
        renameSync(file, path);
        put(facts);
      });
    } catch (thrown) {
      rmSync(file, { force: true });
      throw thrown;
    }
  }

  return {
    facts: (): Readonly<AssetFacts> => both,
    /** Adds facts, which `save` writes. Sources only change with their bytes. */
    note(facts: Partial<Omit<AssetFacts, 'sources'>>): void {
      noted ??= emptyFacts();
      addFacts(noted, facts);
      addFacts(both, facts);
    },
    /** Takes over what an earlier build knew, if nothing is stored. It's written with the next change. */
    recall(facts: Partial<AssetFacts>): void {
      recalled = facts;
      put(stored);
    },
    refresh,
    change,
    async save(): Promise<void> {
      const saved = noted;
      if (!saved) return;
      const isWritten = stamp !== '' && stampOf(path) === stamp && !recalled;
      if (isWritten && isDeepStrictEqual(byTheHour(both), byTheHour(stored))) {
        // The file says the rest. Once another process changes that, its reading is the newer one.
        noted = { ...emptyFacts(), issued: saved.issued };
        return;
      }
      noted = undefined;
      await change((facts) => joinFacts(facts, saved)).catch((thrown: unknown) => {
        noted = joinFacts(saved, noted);
        throw thrown;
      });
    },
  };
}

/** What is worth a write: after a build that changed nothing, only the times of the last one are newer. */
function byTheHour({ checkedAt, record, issued, ...facts }: AssetFacts): unknown {
  const hour = (time = 0) => Math.floor(time / 3_600_000);
  const timed = {
    ...facts,
    checkedAt: hour(checkedAt),
    record: record && { ...record, checkedAt: hour(record.checkedAt) },
    issued: Object.entries(issued).map(([key, { lastUsed, ...entry }]) => {
      return [key, entry, hour(lastUsed)];
    }),
  };
  // Without the properties that are undefined.
  return JSON.parse(JSON.stringify(timed));
}

function addFacts(facts: AssetFacts, { sources, issued, ...others }: Partial<AssetFacts>): void {
  Object.assign(facts, others);
  Object.assign(facts.sources, sources);
  Object.assign(facts.issued, issued);
}

function joinFacts(one: AssetFacts, other: Partial<AssetFacts> = {}): AssetFacts {
  const joined = emptyFacts();
  for (const facts of [one, other]) addFacts(joined, facts);
  return joined;
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
}

/** How often another process may delete a folder while a file is written to it. */
const mostAttempts = 5;

/** Creates folders, and writes files into them. Another process can clear the cache in between. */
export async function inFolders(
  folders: readonly string[],
  write: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryLockedFile(() => {
        // The synchronous call is faster than the thread pool.
        for (const folder of folders) mkdirSync(folder, { recursive: true });
        return write();
      });
    } catch (thrown) {
      // Creating a folder that is being deleted fails with ENOTDIR.
      const isMissing = ['ENOENT', 'ENOTDIR'].includes(errorCode(thrown) ?? '');
      if (attempt === mostAttempts || !isMissing) throw thrown;
    }
  }
}

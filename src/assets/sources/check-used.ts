import pLimit from 'p-limit';
import type { MediaAssetError } from '../../errors/errors.ts';
import { parseRenditionUrl, renditionKey } from '../formats/rendition-url.ts';
import { assetVersion, fileOf, originalOf, type SourceReference } from '../formats/source.ts';
import { sourcePrefix } from '../store/asset-folder.ts';
import type { Catalogue } from '../store/catalogue.ts';
import { isAssetFailure } from './asset-errors.ts';
import type { Sources } from './sources.ts';

export interface CheckContext {
  readonly sources: Sources;
  readonly baseUrl: string;
}

/** The hash of an asset's version that pages get now, or `refused`; `undefined` if none is cached. */
export async function presentVersion(
  { sources, baseUrl }: CheckContext,
  id: number,
  references: readonly SourceReference[],
): Promise<string | undefined> {
  if (sources.refusal(id)) return 'refused';
  const isFile = references.every(({ kind }) => kind === 'file');
  const image = isFile ? undefined : await sources.cached(originalOf(baseUrl, id));
  return (image ?? (await sources.cached(fileOf(baseUrl, id))))?.hash;
}

/**
 * Checks an asset with the service, once in a run. A refusal is remembered.
 *
 * @returns its present version, and a failure that only its pages meet
 * @throws errors that affect all assets
 */
export async function checkAsset(
  context: CheckContext,
  id: number,
  references: readonly SourceReference[],
): Promise<{ version: string | undefined; failure?: MediaAssetError | undefined }> {
  const { sources } = context;
  const failure = await sources.check(id, references).then(
    () => undefined,
    (thrown: unknown) => {
      if (sources.refusal(id)) return undefined;
      if (isAssetFailure(thrown)) return thrown;
      throw thrown;
    },
  );
  return { version: await presentVersion(context, id, references), failure };
}

/**
 * Checks the assets that the last build used, before pages request them. Refusals are remembered.
 * Other failures of an asset are left to its pages.
 *
 * @param onProgress called with the number of checked assets
 * @returns the originals that aren't in the cache
 * @throws errors that affect all assets, such as `credentials-refused` or `answer-html`
 */
export async function checkUsed(
  { catalogue, ...context }: CheckContext & { readonly catalogue: Catalogue },
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<SourceReference[]> {
  const { baseUrl } = context;
  const used = catalogue.usedByLastBuild(baseUrl);
  const absent: SourceReference[] = [];
  /** By asset ID. */
  const versions = new Map<number, string>();
  let fatal = false;
  let done = 0;
  await settleAll([...used], async ([id, references]) => {
    if (fatal) return;
    if (!(await presentVersion(context, id, references))) {
      const isFile = references.every(({ kind }) => kind === 'file');
      absent.push(isFile ? fileOf(baseUrl, id) : originalOf(baseUrl, id));
      return;
    }
    const { version } = await checkAsset(context, id, references).catch((thrown: unknown) => {
      fatal = true;
      throw thrown;
    });
    done += 1;
    onProgress(done, used.size);
    if (version) versions.set(id, version);
  });
  catalogue.noteVersions(baseUrl, ({ reference }) => versions.get(reference.id));
  return absent;
}

/** Lets the next build check the sources of these URLs too, although no built file names them. */
export function keepSources(catalogue: Catalogue, urls: readonly string[]): void {
  const kept = new Set(
    urls.map(parseRenditionUrl).map((address) => address && `${address.id}-${address.sourceHash}`),
  );
  for (const [key, { source }] of catalogue.entries()) {
    if (kept.has(sourcePrefix(source))) catalogue.markUsed(key);
  }
}

/** Whether a rendition was made from the cached version of its source. */
export async function isCurrent(
  { catalogue, sources }: { catalogue: Catalogue; sources: Sources },
  url: string,
): Promise<boolean> {
  const address = parseRenditionUrl(url);
  const key = address && renditionKey(address);
  const source = key && (catalogue.rendition(key) ?? catalogue.file(key))?.source;
  if (!source) return false;
  const { kind, service, id } = source.reference;
  const original = kind === 'file' ? fileOf(service, id) : originalOf(service, id);
  return (await sources.cached(original))?.hash === assetVersion(source);
}

/** For work that mostly waits. */
const atOnce = 32;

/**
 * Runs work for each item. Settles when all work has ended, so nothing continues after a failure.
 *
 * @throws the first failure, in the order of the items
 */
export async function settleAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(atOnce);
  const settled = await Promise.allSettled(items.map((item) => limit(() => work(item))));
  const failure = settled.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}

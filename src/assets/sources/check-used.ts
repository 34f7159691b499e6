import pLimit from 'p-limit';
import { parseRenditionUrl, renditionKey } from '../formats/rendition-url.ts';
import { assetVersion, fileOf, originalOf, type SourceReference } from '../formats/source.ts';
import { sourcePrefix } from '../store/asset-folder.ts';
import type { Catalogue } from '../store/catalogue.ts';
import { isAssetFailure } from './asset-errors.ts';
import type { Sources } from './sources.ts';

/**
 * Checks the assets that the last build used, before pages request them. Refusals are remembered.
 * Other failures of an asset are left to its pages.
 *
 * @param onProgress called with the number of checked assets
 * @returns the originals that aren't in the cache
 * @throws errors that affect all assets, such as `credentials-refused` or `answer-html`
 */
export async function checkUsed(
  { catalogue, sources, baseUrl }: { catalogue: Catalogue; sources: Sources; baseUrl: string },
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<SourceReference[]> {
  const used = catalogue.usedByLastBuild(baseUrl);
  const absent: SourceReference[] = [];
  /** By asset ID. */
  const versions = new Map<number, string>();
  let fatal = false;
  let done = 0;
  await settleAll([...used], async ([id, references]) => {
    if (fatal) return;
    const [image, file] = [originalOf(baseUrl, id), fileOf(baseUrl, id)];
    const isFile = references.every(({ kind }) => kind === 'file');
    const cached = async () =>
      (isFile ? undefined : await sources.cached(image)) ?? (await sources.cached(file));
    if (!(await cached())) {
      absent.push(isFile ? file : image);
      return;
    }
    try {
      await sources.check(id, references);
      done += 1;
      onProgress(done, used.size);
    } catch (thrown) {
      if (!sources.refusal(id) && !isAssetFailure(thrown)) {
        fatal = true;
        throw thrown;
      }
    }
    const version = sources.refusal(id) ? 'refused' : (await cached())?.hash;
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

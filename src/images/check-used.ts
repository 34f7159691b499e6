import type { ImagesContext } from './images-context.ts';
import { isAssetFailure } from './is-asset-failure.ts';
import { settleAll } from './settle-all.ts';
import { type SourceReference, sourceKey } from './source.ts';

/**
 * Checks the assets that the last build used, before pages ask for them. Those that the service
 * refuses are purged and remembered; what else is wrong with one of them is left to its pages.
 *
 * @param onProgress told how many assets are checked
 * @returns Sources of theirs that are not in the cache.
 * @throws what concerns all of them: `credentials-refused`, `answer-html` and the like
 */
export async function checkUsed(
  { catalogue, sources, service }: ImagesContext,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<SourceReference[]> {
  const { baseUrl } = service;
  const used = catalogue.usedByLastBuild(baseUrl);
  const absent: SourceReference[] = [];
  let fatal = false;
  let done = 0;
  await settleAll([...used], async ([id, references]) => {
    if (fatal) return;
    const cached = await Promise.all(references.map((reference) => sources.cached(reference)));
    absent.push(...references.filter((_, index) => cached[index] === undefined));
    if (cached.every((source) => source === undefined)) return;
    try {
      await sources.check(id, references);
      done += 1;
      onProgress(done, used.size);
    } catch (thrown) {
      if (sources.refusal(id) || isAssetFailure(thrown)) return;
      fatal = true;
      throw thrown;
    }
  });
  const hashes = new Map<string, string>();
  await settleAll([...catalogue.usedByLastBuild(baseUrl).values()].flat(), async (reference) => {
    const source = await sources.cached(reference);
    if (source) hashes.set(sourceKey(reference), source.hash);
    else if (sources.isDropped(reference)) hashes.set(sourceKey(reference), 'refused');
  });
  catalogue.noteVersions(baseUrl, (reference: SourceReference) => hashes.get(sourceKey(reference)));
  return absent;
}

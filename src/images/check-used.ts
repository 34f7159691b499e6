import { fileOf, originalOf } from './create-sources.ts';
import type { ImagesContext } from './images-context.ts';
import { isAssetFailure } from './is-asset-failure.ts';
import { settleAll } from './settle-all.ts';
import type { SourceReference } from './source.ts';

/**
 * Checks the assets that the last build used, before pages ask for them. Those that the service
 * refuses are remembered; what else is wrong with one of them is left to its pages.
 *
 * @param onProgress told how many assets are checked
 * @returns Their originals that are not in the cache.
 * @throws what concerns all of them: `credentials-refused`, `answer-html` and the like
 */
export async function checkUsed(
  { catalogue, sources, service }: ImagesContext,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<SourceReference[]> {
  const { baseUrl } = service;
  const used = catalogue.usedByLastBuild(baseUrl);
  const absent: SourceReference[] = [];
  /** By asset. */
  const versions = new Map<number, string>();
  let fatal = false;
  let done = 0;
  await settleAll([...used], async ([id, references]) => {
    if (fatal) return;
    const [picture, file] = [originalOf(baseUrl, id), fileOf(baseUrl, id)];
    const isFile = references.every(({ kind }) => kind === 'file');
    const cached = async () =>
      (isFile ? undefined : await sources.cached(picture)) ?? (await sources.cached(file));
    if (!(await cached())) {
      absent.push(isFile ? file : picture);
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

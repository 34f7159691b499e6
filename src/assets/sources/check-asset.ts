import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import { digest } from '../../storage/digest.ts';
import { parseRenditionUrl, renditionKey } from '../formats/rendition-url.ts';
import { assetVersion, type SourceKind } from '../formats/source.ts';
import type { Records } from '../records/records.ts';
import { kindOf, sourcePrefix } from '../store/asset-facts.ts';
import { assetFailures } from './asset-errors.ts';
import type { SourceAccess } from './source-bytes.ts';

export interface CheckContext extends SourceAccess {
  readonly records: Records | undefined;
}

/** The hash of an asset's version that pages get now, or `refused`; `undefined` if none is known. */
export function presentVersion(
  { sources, store }: SourceAccess,
  id: number,
  kind: SourceKind,
): string | undefined {
  if (sources.refusal(id)) return 'refused';
  const { original, file } = store.facts(id).sources;
  return (kind === 'file' ? file : (original ?? file))?.hash;
}

/**
 * Checks an asset with the service, once in a run. A refusal is remembered. Throws errors that affect
 * all assets.
 *
 * @returns its present version, and a failure that only its pages meet
 */
export async function checkAsset(
  context: CheckContext,
  id: number,
  kind: SourceKind,
): Promise<{ version: string | undefined; failure?: MediaAssetError | undefined }> {
  const { sources } = context;
  const failure = await sources.check(id, kind).then(
    () => undefined,
    (thrown: unknown) => {
      if (sources.refusal(id)) return undefined;
      if (isMediaAssetError(thrown, ...assetFailures)) return thrown;
      throw thrown;
    },
  );
  return { version: presentVersion(context, id, kind), failure };
}

/**
 * Lets the next build check the sources of these URLs too, because HTML that is kept for later pages
 * names them.
 *
 * @returns a digest of what the HTML depends on in the records of these assets
 */
export function keepSources({ store, records }: CheckContext, urls: readonly string[]): string {
  for (const address of urls.map(parseRenditionUrl)) {
    if (!address) continue;
    const { id, sourceHash } = address;
    for (const [key, entry] of Object.entries(store.facts(id).issued))
      if (sourcePrefix(entry.source) === `${id}-${sourceHash}`) store.issue(key, entry);
  }
  return recordOutcomes(records, urls);
}

function recordOutcomes(records: Records | undefined, urls: readonly string[]): string {
  const ids = urls.flatMap((url) => parseRenditionUrl(url)?.id ?? []);
  return records ? digest([...new Set(ids)].sort().map((id) => [id, records.outcomes(id)])) : '';
}

/** Whether kept HTML shows the cached versions, which a check may have renewed, and these records. */
export function isCurrent(
  context: CheckContext,
  urls: readonly string[],
  outcomes: string,
): boolean {
  const isPresent = (url: string) => {
    const address = parseRenditionUrl(url);
    const entry = address && context.store.facts(address.id).issued[renditionKey(address)];
    if (!entry) return false;
    return presentVersion(context, address.id, kindOf([entry])) === assetVersion(entry.source);
  };
  return urls.every(isPresent) && recordOutcomes(context.records, urls) === outcomes;
}

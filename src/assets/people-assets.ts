import type { AssetParts } from './asset-parts.ts';
import { changesSince } from './build-digests.ts';
import { originalOf, type Source } from './formats/source.ts';
import { listedRecords } from './records/records.ts';
import { previewImage } from './renditions/small-images.ts';

/** What people ask, with the toolbar or a command. */
export type PeopleAssets = ReturnType<typeof createPeopleAssets>;

export function createPeopleAssets(parts: AssetParts) {
  const { options, access, records, rule, guard, clock } = parts;
  const { service, languages } = options;
  const { store } = access;
  return {
    /** What an asset's record says; `undefined` if it isn't known. */
    describeRecord: guard.describe,
    /** What records in a list say about rights; `undefined` if the site reads none. */
    listedRecords: rule && listedRecords(rule, { service, languages, now: clock }),
    /** A small WebP of a whole image. */
    preview: (id: number, width: number) => previewImage(access, { id, width }),
    /** A cached original. Sends no request. */
    async original(id: number): Promise<Source | undefined> {
      const source = await store.find(originalOf(id));
      return source?.kind === 'file' ? undefined : source;
    },
    /** The names in the service of this build's assets and of the last one's, by ID, if they're known. */
    names: store.names,
    /**
     * Checks the assets of an earlier build, and lists those whose pages are out of date.
     * Throws what the next build would throw, and errors of the service in an outage.
     */
    changesSince: changesSince.bind(undefined, { ...access, records }),
  };
}

import type { PictureCache } from './cacache-picture-cache.ts';
import { type CachedSource, sourceKey } from './source.ts';

/**
 * The cache of a build, which looks for each source once: it is asked for by the check before the
 * build, by pages and by what is published. Whatever is deleted or found damaged, all are looked
 * for again: other sources may have had the same bytes.
 */
export function findOnce(cache: PictureCache): PictureCache {
  const found = new Map<string, Promise<CachedSource | undefined>>();

  const forgetAll = () => found.clear();

  return {
    ...cache,
    find(reference) {
      const key = sourceKey(reference);
      const known = found.get(key);
      if (known) return known;
      const search = cache.find(reference);
      found.set(key, search);
      const forget = () => found.get(key) === search && found.delete(key);
      search.then((source) => source ?? forget(), forget);
      return search;
    },
    add: (reference, file, facts) =>
      cache.add(reference, file, facts).finally(() => found.delete(sourceKey(reference))),
    addFile: (reference, file, facts) =>
      cache.addFile(reference, file, facts).finally(() => found.delete(sourceKey(reference))),
    async read(hash) {
      const bytes = await cache.read(hash);
      if (!bytes) forgetAll();
      return bytes;
    },
    async pathOf(hash) {
      const path = await cache.pathOf(hash);
      if (path === undefined) forgetAll();
      return path;
    },
    dropContent: (hash) => cache.dropContent(hash).finally(forgetAll),
    evict: (options) => cache.evict(options).finally(forgetAll),
    purge: (service, id) => cache.purge(service, id).finally(forgetAll),
  };
}

import { runInNewContext } from 'node:vm';
import type { AstroIntegrationLogger } from 'astro';
import { isMediaAddress } from '../../assets/request/media-address.ts';
import { finding, mediaAssetError } from '../../errors/errors.ts';
import { logFinding } from '../log-finding.ts';

/** Astro's module with the entries of all collections. */
const entriesModule = /^\0astro:data-layer-content$/;

/**
 * Refuses `media:` addresses in fields that Astro's `image()` reads. Astro keeps them as text, and
 * `<Image>` then fails without naming the entry.
 *
 * @param devLogger of a dev server, which would take the collections for empty if this failed
 */
export function imageFieldPlugin(devLogger?: AstroIntegrationLogger) {
  return {
    name: 'astro-media-asset/image-fields',
    transform: {
      filter: { id: entriesModule },
      handler(code: string, id: string): void {
        // The text of all entries: most sites have no image in it.
        const hasImages = entriesModule.test(id) && code.includes('assetImports');
        if (!hasImages || !/["_]media:/i.test(code)) return;
        const values = storedValues(code);
        const read = (entry: unknown, name: string) => values[Reflect.get(Object(entry), name)];
        for (const entry of values) {
          const images = read(entry, 'assetImports');
          if (!Array.isArray(images)) continue;
          const address = images.map((index) => values[index]).find(isMediaAddress);
          if (address === undefined) continue;
          const place = { file: String(read(entry, 'filePath') ?? read(entry, 'id')) };
          const details = { place, address, reader: "Astro's image()" };
          if (!devLogger) throw mediaAssetError('media-address-unread', details);
          logFinding(devLogger, finding('error', 'media-address-unread', details));
        }
      },
    },
  };
}

/** A flat list, in which objects and lists name their values by index. */
function storedValues(code: string): readonly unknown[] {
  try {
    const values: unknown = runInNewContext(code.replace('export default', 'values ='));
    return Array.isArray(values) ? values : [];
  } catch {
    // Another form than that of Astro 5 to 7 is no reason to fail a build: `<Image>` still fails.
    return [];
  }
}

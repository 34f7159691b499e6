import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { mediaAssetError } from '../../errors/errors.ts';

/**
 * Imports a package that Astro brings. Astro 7 brings parsers whose trees have positions.
 *
 * @param way the packages from Astro to this one, each a dependency of the one before
 * @param file for messages
 * @throws `source-unreadable` with older versions of Astro
 */
export async function loadFromAstro<Module>(way: readonly string[], file: string): Promise<Module> {
  let found = createRequire(import.meta.url).resolve('astro/package.json');
  try {
    for (const name of way) found = createRequire(found).resolve(name);
  } catch (cause) {
    const reason = 'changes in this file need Astro 7';
    throw mediaAssetError('source-unreadable', { file, reason }, { cause });
  }
  return (await import(pathToFileURL(found).href)) as Module;
}

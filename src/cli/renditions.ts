import { type CatalogueItem, readCatalogue } from '../images/read-catalogue.ts';
import { cacheFolder } from './cache-folder.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';
import { count } from './wording.ts';

/** `media-asset renditions`: the pictures that builds have published, and what each was made from. */
export async function renditions(
  flags: { cache?: string; json?: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const folder = await cacheFolder(flags, terminal);
  const catalogue = readCatalogue(folder);
  terminal.out(
    flags.json
      ? JSON.stringify({ version: 1, renditions: catalogue }, undefined, 2)
      : renditionsText(catalogue, folder, terminal),
  );
  return exitCodes.done;
}

function renditionsText(
  catalogue: readonly CatalogueItem[],
  folder: string,
  { paint }: Terminal,
): string {
  if (catalogue.length === 0)
    return `No rendition is known in ${folder}. Build the site first, or name another folder with --cache.`;
  const lines = catalogue.map((item) => {
    const { x, y, width, height } = item.rectangle;
    const from = item.customFormatUrl
      ? `crop ${x},${y},${width},${height}`
      : `original ${width} × ${height}`;
    const size = `${item.width} × ${item.height}`;
    return `${paint.bold(`${item.id}`)}  ${size}  ${from}\n  ${item.path ?? item.url}`;
  });
  return [...lines, `${count(catalogue.length, 'rendition')}.`].join('\n');
}

import { countOf } from '../errors/wording.ts';
import { type CatalogueItem, readCatalogue } from '../images/read-catalogue.ts';
import { cacheFolder } from './cache-folder.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

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
    return `${paint.bold(`${item.id}`)}  ${describeItem(item)}\n  ${item.path ?? item.url}`;
  });
  return [...lines, `${countOf(catalogue.length, 'rendition')}.`].join('\n');
}

function describeItem({
  rectangle,
  customFormatUrl,
  width,
  height,
  format,
}: CatalogueItem): string {
  if (!rectangle) return `file ${format}`;
  const { x, y, ...size } = rectangle;
  const from = customFormatUrl
    ? `crop ${x},${y},${size.width},${size.height}`
    : `original ${size.width} × ${size.height}`;
  return `${width} × ${height}  ${from}`;
}

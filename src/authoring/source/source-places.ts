import { extname } from 'node:path';
import { imageProps } from '../../assets/request/props.ts';
import { isAssetId, parseAssetId } from '../../errors/asset-id.ts';
import { placeAt } from '../../errors/place.ts';
import { type DataNode, readData } from './data-node.ts';
import {
  addressProps,
  type FoundPlace,
  readEntries,
  type ValuePlace,
  type Written,
} from './found-place.ts';
import { markdownPlaces } from './markdown-places.ts';
import type { SourceFile } from './source-text.ts';
import { astroPlaces } from './tag-places.ts';

/**
 * All places in a file that name an asset by literal values. A file of another type has none.
 *
 * @param source.id the asset to find in frontmatter and data also by its number alone. Without it, such
 * numbers aren't places
 */
export async function findPlaces(source: Data): Promise<FoundPlace[]> {
  switch (extname(source.file).toLowerCase()) {
    case '.astro':
      return astroPlaces(source);
    case '.md':
    case '.mdx':
      return [...dataPlaces(source, 'yaml'), ...(await markdownPlaces(source))];
    case '.yaml':
    case '.yml':
      return dataPlaces(source, 'yaml');
    case '.json':
      return dataPlaces(source, 'json');
    default:
      return [];
  }
}

/** `id`: the asset to find by its number alone, which could be anything. */
type Data = SourceFile & { readonly id?: number | undefined };

/** The values of a YAML or JSON text that `mediaAsset()` of the schema takes. */
function dataPlaces(source: Data, kind: 'yaml' | 'json'): FoundPlace[] {
  const root = readData(source);
  return root ? placesIn(source, root, { kind, path: [] }) : [];
}

function placesIn(
  source: Data,
  node: DataNode,
  { kind, path }: Pick<ValuePlace, 'path'> & { kind: 'yaml' | 'json' },
): FoundPlace[] {
  const found = node.entries ? propsOfEntries(node) : propsOfScalar(node, source.id);
  if (found) {
    const { start, end } = node;
    return [{ ...placeAt(source, start), start, end, ...found, kind, node, path }];
  }
  const named = node.entries?.filter(({ name }) => name !== 'id');
  const inner: readonly (readonly [string | number, DataNode])[] = named
    ? named.map(({ name, value }) => [name, value])
    : [...(node.items ?? []).entries()];
  return inner.flatMap(([key, value]) => placesIn(source, value, { kind, path: [...path, key] }));
}

function propsOfScalar({ literal }: DataNode, id: number | undefined): Written | undefined {
  const value = literal?.value;
  const address = addressProps(value);
  if (address) return { props: address, computed: [] };
  const read = typeof value === 'string' ? parseAssetId(value) : value;
  return isAssetId(read) && read === id ? { props: { id: read }, computed: [] } : undefined;
}

function propsOfEntries({ entries = [] }: DataNode): Written | undefined {
  const known: readonly string[] = imageProps();
  return entries.every(({ name }) => known.includes(name)) ? readEntries(entries) : undefined;
}

import { extname } from 'node:path';
import { imageProps } from '../../assets/request/media-address.ts';
import { isAssetId, parseAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { type DataNode, parseData } from './data-node.ts';
import {
  addressProps,
  type FoundPlace,
  readEntries,
  type ValueForm,
  type Written,
} from './found-place.ts';
import { markdownPlaces } from './markdown-places.ts';
import { frontmatterRange, positionOf, type Range, type SourceFile } from './source-text.ts';
import { astroPlaces } from './tag-places.ts';

export type { FoundPlace } from './found-place.ts';

/**
 * All places in a file that name an asset by literal values. A file of another type has none.
 *
 * @param file.id the asset to find in frontmatter and data also by its number alone. Without it, such
 * numbers aren't places
 */
export async function findPlaces(file: Data): Promise<FoundPlace[]> {
  const whole = { start: 0, end: file.text.length };
  switch (extname(file.path).toLowerCase()) {
    case '.astro':
      return astroPlaces(file);
    case '.md':
    case '.mdx': {
      const range = frontmatterRange(file.text);
      const data = range ? dataPlaces(file, range, 'yaml') : [];
      return [...data, ...(await markdownPlaces(file))];
    }
    case '.yaml':
    case '.yml':
      return dataPlaces(file, whole, 'yaml');
    case '.json':
      return dataPlaces(file, whole, 'json');
    default:
      return [];
  }
}

/** `id`: the asset to find by its number alone, which could be anything. */
type Data = SourceFile & { readonly id?: number | undefined };

/** The values of a YAML or JSON text that `mediaAsset()` of the schema takes. */
function dataPlaces(file: Data, range: Range, kind: 'yaml' | 'json'): FoundPlace[] {
  if (kind === 'json') checkJson(file);
  const root = parseData(file, range);
  return root ? placesIn(file, root, { kind, path: [] }) : [];
}

/** Throws `source-unreadable`, because a parser of YAML reads more than JSON. */
export function checkJson({ path, text }: SourceFile): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    // Some messages quote the text instead.
    const [position, offset] = / in JSON at position (\d+).*/.exec(message) ?? [];
    const found = { file: path, ...(position && positionOf(text, Number(offset))) };
    const details = { ...found, reason: message.replace(position ?? '', '') };
    throw mediaAssetError('source-unreadable', details, { cause });
  }
}

function placesIn(
  file: Data,
  node: DataNode,
  { kind, path }: Pick<ValueForm, 'path'> & { kind: 'yaml' | 'json' },
): FoundPlace[] {
  const found = node.entries ? propsOfEntries(node) : propsOfScalar(node, file.id);
  if (found) {
    const { start, end } = node;
    const place = { file: file.path, ...positionOf(file.text, start), kind, start, end };
    return [{ ...place, ...found, form: { kind: 'value', node, syntax: kind, path } }];
  }
  const named = node.entries?.filter(({ name }) => name !== 'id');
  const inner: readonly (readonly [string | number, DataNode])[] = named
    ? named.map(({ name, value }) => [name, value])
    : [...(node.items ?? []).entries()];
  return inner.flatMap(([key, value]) => placesIn(file, value, { kind, path: [...path, key] }));
}

function propsOfScalar({ literal }: DataNode, id: number | undefined): Written | undefined {
  const value = literal?.value;
  const address = addressProps(value);
  if (address) return { props: address, computed: [] };
  const read = typeof value === 'string' ? parseAssetId(value) : value;
  return isAssetId(read) && read === id ? { props: { id: read }, computed: [] } : undefined;
}

function propsOfEntries({ entries = [] }: DataNode): Written | undefined {
  const isProp = (name: string) => imageProps.includes(name) || name === '<<';
  return entries.every(({ name }) => isProp(name)) ? readEntries(entries) : undefined;
}

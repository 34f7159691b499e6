import { isMediaAddress, parseMediaAddress } from '../../assets/request/media-address.ts';
import { imageProps } from '../../assets/request/read-props.ts';
import { isAssetId, parseAssetId } from '../../errors/asset-id.ts';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { type DataNode, parseData } from './data-node.ts';
import { type FoundPlace, readEntries, type ValueForm } from './found-place.ts';
import { positionOf, type Range, type SourceFile } from './source-text.ts';

interface Data extends SourceFile {
  /** The ID to find as a number alone, which could be anything. */
  readonly id?: number | undefined;
}

type Written = Pick<FoundPlace, 'props' | 'computed'>;

/**
 * The values of a YAML or JSON text that `mediaAsset()` of the schema takes.
 *
 * @param range the part of the text, such as the frontmatter
 */
export function dataPlaces(file: Data, range: Range, kind: 'yaml' | 'json'): FoundPlace[] {
  if (kind === 'json') checkJson(file);
  const root = parseData(file, range);
  return root ? placesIn(file, root, { kind, path: [] }) : [];
}

function checkJson({ path, text }: Data): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw mediaAssetError('source-unreadable', { file: path, reason }, { cause });
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
    const text = file.text.slice(start, end);
    const place = { file: file.path, ...positionOf(file.text, start), kind, text, start, end };
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
  if (isMediaAddress(value)) {
    try {
      return { props: { ...parseMediaAddress(value) }, computed: [] };
    } catch (thrown) {
      if (isMediaAssetError(thrown)) return undefined;
      throw thrown;
    }
  }
  const read = typeof value === 'string' ? parseAssetId(value) : value;
  return isAssetId(read) && read === id ? { props: { id: read }, computed: [] } : undefined;
}

function propsOfEntries({ entries = [] }: DataNode): Written | undefined {
  const isProp = (name: string) =>
    Object.hasOwn(imageProps, name) || name === 'priority' || name === '<<';
  return entries.every(({ name }) => isProp(name)) ? readEntries(entries) : undefined;
}

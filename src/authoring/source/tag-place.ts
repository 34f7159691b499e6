import { isAssetId, parseAssetId } from '../../errors/asset-id.ts';
import { type FoundPlace, positionOf } from './found-place.ts';
import { type Attribute, attributeValue, type Node } from './literal-value.ts';

const editable = new Set(['alt', 'crop', 'aspect', 'focus', 'preset', 'sources']);

/** Tells from a module's statements which tags are `<MediaAsset>`. */
export function componentNames(statements: readonly Node[] = []): (tag: string) => boolean {
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration');
  const imported = imports.flatMap((statement) => {
    const from = (statement.source as Node).value;
    return (statement.specifiers as readonly Node[]).map((specifier) => {
      const local = String((specifier.local as Node).name);
      return tagOf(from, specifier, local);
    });
  });
  const tags = new Set(imported);
  return (tag) => tags.has(tag);
}

function tagOf(from: unknown, specifier: Node, local: string): string | undefined {
  if (from === 'astro-media-asset/MediaAsset.astro') {
    return specifier.type === 'ImportDefaultSpecifier' ? local : undefined;
  }
  if (from !== 'astro-media-asset/components') return undefined;
  if (specifier.type === 'ImportNamespaceSpecifier') return `${local}.MediaAsset`;
  const imported = specifier.imported as Node | undefined;
  return (imported?.name ?? imported?.value) === 'MediaAsset' ? local : undefined;
}

/** The place of an opening tag; `undefined` if its ID isn't literal. */
export function placeOfTag(
  { path, text }: { path: string; text: string },
  tag: { start: number; end: number; attributes: readonly Attribute[] },
): FoundPlace | undefined {
  const { start, end, attributes } = tag;
  const known = attributes.filter(({ name }) => name === 'id' || editable.has(name));
  const values = new Map(known.map((attribute) => [attribute.name, attributeValue(attribute)]));
  const written = values.get('id')?.value;
  const id = typeof written === 'string' ? parseAssetId(written) : written;
  if (!isAssetId(id)) return undefined;
  const literal = Array.from(values).flatMap(([name, one]) => (one ? [[name, one.value]] : []));
  const names = attributes.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const computed = Array.from(values).flatMap(([name, one]) => (one ? [] : [name]));
  const spread = names.includes('...') ? ['...'] : [];
  return {
    file: path,
    ...positionOf(text, start),
    kind: 'component',
    text: text.slice(start, end),
    start,
    end,
    props: { ...Object.fromEntries(literal), id },
    computed: Array.from(new Set([...computed, ...twice, ...spread])),
    form: { kind: 'tag', attributes },
  };
}

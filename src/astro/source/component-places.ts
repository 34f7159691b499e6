import type { AssetChange } from '../toolbar/protocol.ts';
import type { Found, SourceText } from './found-place.ts';
import { literalOf, NotLiteral, objectText, propertyEdit, valueText } from './javascript-values.ts';
import { loadCompiler, nodesOf, type SyntaxNode } from './site-parsers.ts';
import { applyEdits, ComputedProp, type Edit } from './text-edits.ts';

/** The props that the toolbar reads and writes. */
const names = ['id', 'alt', 'crop', 'aspect', 'focus', 'preset', 'sources'];

/**
 * The calls of `<MediaAsset>` in an `.astro` file. A place's text is the whole opening tag.
 *
 * @throws `source-unreadable`
 */
export async function componentPlaces({ path, text }: SourceText, root: string): Promise<Found[]> {
  const compiler = await loadCompiler(root, path);
  const nodes = [...nodesOf(compiler.parse(text).ast)];
  const components = importedNames(nodes);
  return nodes
    .filter(({ type, name }) => {
      const tag = name as SyntaxNode | undefined;
      return type === 'JSXOpeningElement' && components.has(text.slice(tag?.start, tag?.end));
    })
    .map((tag) => toPlace(tag, text));
}

/** What the file calls our component: `MediaAsset`, or `media.MediaAsset`. */
function importedNames(nodes: readonly SyntaxNode[]): ReadonlySet<string> {
  const imports = nodes.filter(({ type, source }) => {
    const from = String((source as { value?: unknown } | undefined)?.value);
    return type === 'ImportDeclaration' && /^astro-media-asset\//.test(from);
  });
  const specifiers = imports.flatMap((node) => node.specifiers as SyntaxNode[]);
  return new Set(
    specifiers.flatMap((specifier) => {
      const { name } = specifier.local as { name: string };
      const imported = (specifier.imported as { name?: string } | undefined)?.name;
      if (specifier.type === 'ImportNamespaceSpecifier') return [`${name}.MediaAsset`];
      return imported === undefined || imported === 'MediaAsset' ? [name] : [];
    }),
  );
}

function toPlace(tag: SyntaxNode, source: string): Found {
  const { start, end } = tag;
  const text = source.slice(start, end);
  const attributes = new Map<string, SyntaxNode>();
  const props: Record<string, unknown> = {};
  const computed: string[] = [];
  for (const attribute of tag.attributes as SyntaxNode[]) {
    const name = String((attribute.name as { name?: unknown } | undefined)?.name);
    if (attribute.type !== 'JSXAttribute') computed.push('...');
    else if (names.includes(name)) {
      attributes.set(name, attribute);
      try {
        props[name] = literalOf(attribute.value);
      } catch (thrown) {
        if (!(thrown instanceof NotLiteral)) throw thrown;
        computed.push(name);
      }
    }
  }
  if (typeof props.id === 'string') props.id = Number(props.id);
  return {
    kind: 'component',
    ...{ start, text, props, computed },
    change(change) {
      const edits = attributeEdits(change, { source, tag, attributes, computed });
      return applyEdits(
        text,
        edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
      );
    },
  };
}

interface Tag {
  readonly source: string;
  readonly tag: SyntaxNode;
  readonly attributes: ReadonlyMap<string, SyntaxNode>;
  readonly computed: readonly string[];
}

function attributeEdits({ sources, ...values }: AssetChange, tag: Tag): Edit[] {
  const edits: Edit[] = [];
  let inserted = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    assertWritable(name, tag);
    const attribute = tag.attributes.get(name);
    if (!attribute) {
      if (value !== null) inserted += `${gapBeforeId(tag)}${name}=${valueText(value)}`;
    } else if (value === null) {
      edits.push({ start: gapStart(tag.source, attribute.start), end: attribute.end, text: '' });
    } else {
      edits.push(changedValue(attribute, value, tag.source));
    }
  }
  if (sources && Object.keys(sources).length > 0) {
    assertWritable('sources', tag);
    edits.push(...sourceEdits(sources, tag));
  }
  const id = tag.attributes.get('id');
  const at = id?.end ?? (tag.tag.name as SyntaxNode).end;
  return inserted === '' ? edits : [...edits, { start: at, end: at, text: inserted }];
}

/** @throws `ComputedProp` */
function assertWritable(name: string, { computed }: Tag): void {
  if (computed.includes(name) || computed.includes('...')) throw new ComputedProp(name);
}

/** Keeps quotes, and the order and spaces of an object's values. */
function changedValue(attribute: SyntaxNode, value: unknown, source: string): Edit {
  const written = attribute.value as SyntaxNode;
  const expression = written.expression as SyntaxNode | undefined;
  const object = expression && objectText(expression, value, source);
  if (object) return object;
  const quote = source[written.start];
  const isPlain = !/["'&\n]/.test(String(value));
  if (!expression && isPlain && typeof value !== 'object') {
    return { start: written.start, end: written.end, text: `${quote}${value}${quote}` };
  }
  return { start: written.start, end: written.end, text: valueText(value) };
}

function sourceEdits(sources: NonNullable<AssetChange['sources']>, { attributes, source }: Tag) {
  const written = attributes.get('sources')?.value as SyntaxNode | undefined;
  const list = (written?.expression as SyntaxNode | undefined)?.elements as SyntaxNode[];
  return Object.entries(sources).flatMap(([index, crop]) => {
    const entry = list?.[Number(index)];
    return entry ? propertyEdit(entry, { name: 'crop', value: crop, source }) : [];
  });
}

/** New attributes follow `id`, with its indentation if it has its own line. */
function gapBeforeId({ attributes, source }: Tag): string {
  const id = attributes.get('id');
  if (!id) return ' ';
  const gap = source.slice(gapStart(source, id.start), id.start);
  return gap.includes('\n') ? gap : ' ';
}

function gapStart(source: string, end: number): number {
  return source.slice(0, end).trimEnd().length;
}

import { checkProps, ownProps } from '../../assets/request/check-props.ts';
import { parseRequest } from '../../assets/request/parse-request.ts';
import { ignoreOurs } from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import { placeAt } from '../../errors/place.ts';
import { importLine } from '../source/edit/write-value.ts';
import type { SourceText } from '../source/source-file.ts';
import { type Edit, frontmatterRange, type Range } from '../source/source-text.ts';
import { type Node, nodesOf, parseAstro, toEntry } from '../source/tag-places.ts';
import type { ChangedImage, ImportFile, ProjectImages } from './local-images.ts';

interface AstroFile {
  readonly source: SourceText;
  readonly tree: Node;
  readonly imports: readonly Import[];
  readonly tags: readonly Tag[];
}

/** A line that imports the default, or names without aliases. */
interface Import extends Range {
  readonly names: readonly string[];
  readonly isDefault: boolean;
  readonly from: string;
}

/** An `<Image>` or `<Picture>` whose other props `<MediaAsset>` takes. */
interface Tag {
  /** New names of the tag, and of its `id`. */
  readonly names: readonly Edit[];
  readonly src: Range;
  /** The expression of `src`. */
  readonly given: Range & { readonly text: string };
  readonly props: Readonly<Record<string, unknown>>;
}

const ownModule = 'astro-media-asset/components';

export async function readAstro(source: SourceText, project: ProjectImages): Promise<ImportFile> {
  const { text } = source;
  const tree = await parseAstro(source);
  const lines = /^import (?:(\w+)|\{([\w\s,]+)\}) from ['"](.+)['"];?[ \t]*\r?\n/gm;
  const code = text.slice(0, frontmatterRange(text)?.end ?? 0);
  const imports = Array.from(code.matchAll(lines), (found): Import => {
    const [line, name, list = name ?? '', from = ''] = found;
    const start = found.index;
    const names = list.split(',').flatMap((one) => one.trim() || []);
    return { start, end: start + line.length, names, isDefault: name !== undefined, from };
  });
  // Its other components have no `src`.
  const components = imports.flatMap(({ from, names }) => (from === 'astro:assets' ? names : []));
  // Another component can have the name.
  const isFree = !/\bMediaAsset\b/.test(text) || imports.some(({ from }) => from === ownModule);
  const elements = isFree ? nodesOf(tree, 'JSXElement') : [];
  const tags = elements
    .flatMap((element) => tagOf(text, { element, components }))
    .filter(({ props }) => project.isCropped || !props.width || !props.height);
  const astro = { source, tree, imports, tags };
  return {
    source,
    changes: (fields) => changesOf(astro, { project, fields }),
    others: (field) => otherReaders(astro, field),
  };
}

function tagOf(text: string, of: { element: Node; components: readonly string[] }): Tag[] {
  const { openingElement, closingElement } = of.element;
  const { name, attributes } = openingElement as Node & { readonly attributes: readonly Node[] };
  if (!of.components.includes(String((name as Node).name))) return [];
  const ends = [name as Node, ...(closingElement ? [(closingElement as Node).name as Node] : [])];
  const ids = attributes.map(toEntry).filter((one) => one.name === 'id');
  const src = attributes.find((one) => toEntry(one).name === 'src');
  const value = src?.value as Node | null | undefined;
  const props = propsOf(attributes);
  if (!src || !props || value?.type !== 'JSXExpressionContainer') return [];
  const { start, end } = value.expression as Node;
  const given = { start, end, text: text.slice(start, end) };
  const names = ends.map((node): Edit => ({ ...node, text: 'MediaAsset' }));
  names.push(...ids.map(({ key }) => ({ ...key, text: 'htmlId' })));
  return [{ names, src, given, props }];
}

/** The props of a tag without `src`; `undefined` if `<MediaAsset>` can't be known to take them. */
function propsOf(attributes: readonly Node[]): Record<string, unknown> | undefined {
  const props: Record<string, unknown> = { id: 1 };
  for (const attribute of attributes) {
    const { name, value, start } = toEntry(attribute);
    // The shorthand `{id}` has no name to change.
    if (name === 'id' && value.start > start) continue;
    const literal = attribute.value === null ? { value: true } : value.literal;
    const isComputed =
      !literal && name !== 'alt' && ownProps().MediaAsset.some((one) => one === name);
    if (isComputed || ['...', 'id', 'srcset'].includes(name)) return undefined;
    if (name !== 'src') props[name] = literal?.value ?? '';
  }
  try {
    parseRequest(props);
    checkProps({ component: 'MediaAsset', page: '', isPrerendered: true, props });
    return props;
  } catch (thrown) {
    return ignoreOurs(thrown);
  }
}

/** The places of a name, apart from plain imports. */
function mentions({ tree, imports }: AstroFile, name: string, others: readonly Node[] = []) {
  const nodes = [...nodesOf(tree, 'Identifier'), ...nodesOf(tree, 'JSXIdentifier'), ...others];
  return nodes.filter(
    (node) =>
      (node.name ?? node.value) === name &&
      !imports.some(({ start, end }) => start <= node.start && node.start < end),
  );
}

/** A field of entries that a tag shows: `hero`, `post.data.hero` or `Astro.props.hero`. */
function fieldOf({ imports }: AstroFile, { given }: Tag): string | undefined {
  if (imports.some(({ names }) => names.includes(given.text))) return undefined;
  return /^(?:(?:\w+\??\.)*(?:data|props)\??\.)?(\w+)$/.exec(given.text)?.[1];
}

/**
 * The places that name a field of entries, unless they show it in a plain tag, take it from an entry's
 * data or the props, or ask whether it's there.
 */
function otherReaders(astro: AstroFile, field: string): Place[] {
  const { text } = astro.source;
  const shown = astro.tags.filter((tag) => fieldOf(astro, tag) === field);
  const isImported = astro.imports.some(({ names }) => names.includes(field));
  const all = mentions(astro, field, nodesOf(astro.tree, 'Literal'));
  const others = all.filter(({ start, end }) => {
    const [before, after] = [text.slice(0, start), text.slice(end)];
    // A value that starts with the name is the import's.
    if (isImported && /(?:=\{|\bsrc:)\s*$/.test(before)) return false;
    // Another value can have the name of an import in a block.
    const isTaken =
      !isImported &&
      /\bconst\s*\{[^{}:]*$/.test(before) &&
      /^\s*(?:,[^{}]*)?\}\s*=\s*(?:\w+\.)*(?:data|props)\s*(?:;|\n)/.test(after);
    const isAsked = /[{(]\s*(?:\w+\??\.)*$/.test(before) && /^\s*(?:&&|\?(?![.?:]))/.test(after);
    return !shown.some(({ given }) => given.end === end) && !isTaken && !isAsked;
  });
  return others.map(({ start }) => placeAt(astro.source, start));
}

/** The images of imports that plain tags alone use, and the edits that need no ID. */
function changesOf(
  astro: AstroFile,
  { project, fields }: { project: ProjectImages; fields: readonly string[] },
): { images: ChangedImage[]; edits: Edit[] } {
  const { source, imports, tags } = astro;
  const changed = tags.filter((tag) => fields.includes(fieldOf(astro, tag) ?? ''));
  const spreads = changed.map(({ src: { start, end }, given }): Edit => {
    return { start, end, text: `{...${given.text}}` };
  });
  const images = imports.flatMap(({ names: [local = ''], isDefault, from }): ChangedImage[] => {
    const path = isDefault && project.resolve(source.file, from);
    const own = tags.filter(({ given }) => given.text === local);
    if (!path || own.length === 0 || own.length < mentions(astro, local).length) return [];
    changed.push(...own);
    return own.map(({ src: { start, end }, props: { alt } }) => {
      return { path, alt: String(alt), start, end, replacement: (id) => `id={${id}}` };
    });
  });
  if (changed.length === 0) return { images, edits: [] };
  const names = changed.flatMap((tag) => tag.names);
  const done = new Set([...names, ...changed.map(({ given }) => given)].map(({ start }) => start));
  const isNeeded = (name: string) => {
    const uses = mentions(astro, name);
    return uses.length === 0 || uses.some(({ start }) => !done.has(start));
  };
  const edits = imports.flatMap(({ start, end, names }): Edit[] => {
    const kept = names.filter(isNeeded);
    const line = source.text.slice(start, end).replace(/\{[^}]*\}/, `{ ${kept.join(', ')} }`);
    return kept.length === names.length ? [] : [{ start, end, text: kept.length > 0 ? line : '' }];
  });
  edits.push(...names, ...spreads);
  if (!imports.some(({ from, names }) => from === ownModule && names.includes('MediaAsset'))) {
    const start = imports[0]?.start ?? 0;
    // Edits at the same offset are made in this order.
    edits.push({ start, end: start, text: importLine(source.text, '{ MediaAsset }', ownModule) });
  }
  return { images, edits };
}

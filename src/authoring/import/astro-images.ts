import type { Place } from '../../errors/place.ts';
import { lineEnd } from '../source/edit/write-value.ts';
import { type Edit, placeAt, type Range, type SourceFile } from '../source/source-text.ts';
import {
  localName,
  type Node,
  nodesOf,
  parseAstro,
  statementsOf,
  tagName,
} from '../source/tag-places.ts';
import type { LocalImage, ResolveImage } from './local-images.ts';

/** What an `.astro` file has of local images, and of fields whose values become assets. */
interface AstroImages {
  readonly images: readonly LocalImage[];
  /** Edits that need no ID: imports, and components that show a field. */
  readonly others: readonly Edit[];
  /** Where something else gets such a field: another component, or code. */
  readonly left: readonly Place[];
}

interface Tag {
  readonly element: Node;
  readonly attributes: ReadonlyMap<string, Node>;
  readonly source: Node;
}

/** A name that a statement imports. */
interface Specifier {
  readonly local: string;
  readonly from: string;
  readonly specifier: Node;
  readonly statement: Node;
}

/**
 * Finds the components and tags of local images: `<Image>`, `<Picture>` and `<img>` with an import, a
 * path, or a field of an entry.
 *
 * @param fields the fields whose values become assets
 */
export async function astroImages(
  source: SourceFile,
  { resolve, fields }: { resolve: ResolveImage; fields: ReadonlySet<string> },
): Promise<AstroImages> {
  const { file, text } = source;
  const placeOf = ({ start }: Range): Place => placeAt(source, start);
  const tree = await parseAstro(source);
  const imports = statementsOf(tree).filter(({ type }) => type === 'ImportDeclaration');
  const specifiers = imports.flatMap((statement) =>
    (statement.specifiers as readonly Node[]).map((specifier): Specifier => {
      const from = String((statement.source as Node).value);
      return { local: localName(specifier), specifier, statement, from };
    }),
  );
  const imported = new Map(
    specifiers.flatMap(({ local, from, specifier }) => {
      const image = specifier.type === 'ImportDefaultSpecifier' && resolve(file, from);
      return image ? [[local, image] as const] : [];
    }),
  );
  const components = specifiers.filter(({ from, specifier }) => {
    const name = (specifier.imported as Node | undefined)?.name;
    return from === 'astro:assets' && (name === 'Image' || name === 'Picture');
  });
  const isTag = (name: string) => name === 'img' || components.some(({ local }) => local === name);

  const images: LocalImage[] = [];
  const others: Edit[] = [];
  const done: Range[] = [];
  for (const tag of nodesOf(tree, 'JSXElement').flatMap((element) => tagOf(element, isTag))) {
    const { element, attributes, source } = tag;
    const shown = shownBy(source, fields);
    const image =
      shown?.literal === undefined
        ? shown?.isWhole && imported.get(String(shown.name))
        : resolve(file, shown.literal);
    const canChange = !attributes.has('srcset') && !attributes.has('...');
    if (image) {
      const alt = attributes.get('alt')?.value as Node | null | undefined;
      const written = typeof alt?.value === 'string' && alt.value !== '' ? alt.value : undefined;
      const edits = canChange
        ? (id: number) => tagEdits(text, tag, `id={${id}}`)
        : 'the tag has props that <MediaAsset> lacks';
      images.push({ place: placeOf(element), path: image, alt: written, edits });
      if (canChange) done.push(element);
    } else if (shown?.name !== undefined && fields.has(shown.name) && canChange) {
      others.push(...tagEdits(text, tag, `{...${text.slice(shown.start, shown.end)}}`));
      done.push(element);
    }
  }
  const isOpen = ({ start, end }: Range) =>
    !done.some((one) => one.start <= start && end <= one.end);
  const names = [...nodesOf(tree, 'Identifier'), ...nodesOf(tree, 'JSXIdentifier')].filter(
    (node) =>
      isOpen(node) && !imports.some(({ start, end }) => start <= node.start && node.end <= end),
  );
  const isUsed = (local: string) => names.some(({ name }) => name === local);
  const needless = specifiers.filter(
    (one) => !isUsed(one.local) && (imported.has(one.local) || components.includes(one)),
  );
  if (done.length > 0) others.push(...importEdits(text, specifiers, needless));
  const attributes = nodesOf(tree, 'JSXAttribute').filter(isOpen);
  for (const one of names) {
    const image = imported.get(String(one.name));
    const place = placeOf(one);
    if (image) images.push({ place, path: image, alt: undefined, edits: 'code uses the image' });
  }
  const code = ['CallExpression', 'NewExpression', 'TemplateLiteral'].flatMap((type) =>
    nodesOf(tree.frontmatter, type),
  );
  const left = [...code, ...attributes].filter((one) =>
    nodesOf(one, 'Identifier').some(({ name }) => fields.has(String(name))),
  );
  return { images, others, left: left.map(placeOf) };
}

function tagOf(element: Node, isTag: (name: string) => boolean): Tag[] {
  const opening = element.openingElement as Node;
  const name = tagName(opening.name as Node);
  if (!isTag(name)) return [];
  const attributes = new Map(
    (opening.attributes as readonly Node[]).map((one) => [
      one.type === 'JSXSpreadAttribute' ? '...' : String((one.name as Node).name),
      one,
    ]),
  );
  const source = attributes.get('src');
  return source ? [{ element, attributes, source }] : [];
}

/**
 * The text that `src` has, or the last name of its expression, without a `.src` that is no field:
 * `hero` of `post.data.hero.src`.
 */
function shownBy(source: Node, fields: ReadonlySet<string>) {
  const value = source.value as Node | null;
  if (value === null) return undefined;
  const given = value.type === 'JSXExpressionContainer' ? (value.expression as Node) : value;
  if (typeof given.value === 'string') return { ...given, literal: given.value, name: undefined };
  const isSource = given.type === 'MemberExpression' && nameOf(given) === 'src';
  const node = isSource && !fields.has('src') ? (given.object as Node) : given;
  return { ...node, literal: undefined, name: nameOf(node), isWhole: node.type === 'Identifier' };
}

function nameOf({ type, name, property, computed, expression }: Node): string | undefined {
  if (type === 'Identifier') return String(name);
  if (type === 'ChainExpression') return nameOf(expression as Node);
  return type === 'MemberExpression' && !computed ? nameOf(property as Node) : undefined;
}

/** Props that `<MediaAsset>` doesn't have, or takes from the original. */
function tagEdits(text: string, { element, attributes, source }: Tag, head: string): Edit[] {
  const rename = (node: unknown, to: string): Edit[] =>
    node ? [{ ...rangeOf((node as Node).name as Node), text: to }] : [];
  const remove = (name: string): Edit[] => {
    const attribute = attributes.get(name);
    if (!attribute) return [];
    const space = /\s*$/.exec(text.slice(0, attribute.start))?.[0] ?? '';
    return [{ start: attribute.start - space.length, end: attribute.end, text: '' }];
  };
  // A tag of HTML may have no end.
  const { end } = element.openingElement as Node;
  const isOpen = !element.closingElement && text[end - 2] !== '/';
  const isComputed = (name: string) =>
    nodesOf(attributes.get(name)?.value, 'MemberExpression').length > 0;
  return [
    ...rename(element.openingElement, 'MediaAsset'),
    ...rename(element.closingElement, 'MediaAsset'),
    { ...rangeOf(source), text: head },
    ...rename(attributes.get('fallbackFormat'), 'format'),
    ...(isOpen ? [{ start: end - 1, end: end - 1, text: ' /' }] : []),
    ...remove('inferSize'),
    ...['width', 'height'].filter(isComputed).flatMap(remove),
  ];
}

/** Removes needless imports, and adds that of `<MediaAsset>`. */
function importEdits(
  text: string,
  specifiers: readonly Specifier[],
  needless: readonly Specifier[],
): Edit[] {
  const end = lineEnd(text);
  const own = `import { MediaAsset } from 'astro-media-asset/components';${end}`;
  const edits = [...new Set(needless.map(({ statement }) => statement))].map((statement): Edit => {
    const kept = specifiers.filter((one) => one.statement === statement && !needless.includes(one));
    const { start, end } = statement;
    if (kept.length === 0) {
      const rest = /^[ \t]*\r?\n/.exec(text.slice(end))?.[0] ?? '';
      return { start, end: end + rest.length, text: '' };
    }
    const names = kept.map(({ specifier }) => text.slice(specifier.start, specifier.end));
    const from = text.slice((statement.source as Node).start, end);
    return { start, end, text: `import { ${names.join(', ')} } from ${from}` };
  });
  const isOwn = ({ local, from }: Specifier) =>
    from === 'astro-media-asset/components' && local === 'MediaAsset';
  if (specifiers.some(isOwn)) return edits;
  const [first] = specifiers;
  const [fence] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  const at = first?.statement.start ?? fence?.length ?? 0;
  const added = fence === undefined ? `---${end}${own}---${end}${end}` : own;
  const joined = edits.find(({ start }) => start === at);
  return joined
    ? edits.map((one) => (one === joined ? { ...one, text: added + one.text } : one))
    : [...edits, { start: at, end: at, text: added }];
}

function rangeOf({ start, end }: Range): Range {
  return { start, end };
}

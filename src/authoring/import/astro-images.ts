import { checkProps } from '../../assets/request/check-props.ts';
import { parseRequest } from '../../assets/request/parse-request.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
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
  toEntry,
} from '../source/tag-places.ts';
import { type AssetField, fieldReader, namesIn, namesOf } from './asset-fields.ts';
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
 * path, or a field of an entry. Expressions that the file alone doesn't explain are left to a person.
 */
export async function astroImages(
  source: SourceFile,
  { resolve, fields }: { resolve: ResolveImage; fields: readonly AssetField[] },
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
  const isTaken = specifiers.some((one) => one.local === 'MediaAsset' && !isOwn(one));
  const declared = namesIn(declarations.flatMap((type) => nodesOf(tree, type).map(bindingOf)));
  const isField = fieldReader(source, {
    fields,
    imports: specifiers.map(({ from }) => from),
    tree,
  });

  const images: LocalImage[] = [];
  const others: Edit[] = [];
  const done: Range[] = [];
  for (const tag of nodesOf(tree, 'JSXElement').flatMap((element) => tagOf(element, isTag))) {
    const { element, attributes, source } = tag;
    const given = givenBy(source);
    const [name = '', ...members] = namesOf(given);
    const isImport = ['', 'src'].includes(members.join('.')) && !declared.has(name);
    const image =
      typeof given?.value === 'string'
        ? resolve(file, given.value)
        : isImport && imported.get(name);
    const problem = isTaken ? 'the file has another MediaAsset' : problemOf(tag);
    const changes = (head: string) => tagEdits(text, tag, head);
    if (image) {
      const alt = attributes.get('alt')?.value as Node | null | undefined;
      const written = typeof alt?.value === 'string' && alt.value !== '' ? alt.value : undefined;
      const edits = problem ?? ((id: number) => changes(`id={${id}}`));
      images.push({ place: placeOf(element), path: image, alt: written, edits });
      if (!problem) done.push(...changes(''));
    } else if (!problem) {
      const field = [given, sourceOf(given)].find((node) => isField(namesOf(node)));
      const edits = field ? changes(`{...${text.slice(field.start, field.end)}}`) : [];
      others.push(...edits);
      done.push(...edits);
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
  for (const [local, path] of imported) {
    const places = lines(names.filter(({ name }) => name === local).map(placeOf));
    images.push(
      ...places.map((place) => ({ place, path, alt: undefined, edits: 'code uses the image' })),
    );
  }
  const code = ['CallExpression', 'NewExpression', 'TemplateLiteral'].flatMap((type) =>
    nodesOf(tree.frontmatter, type),
  );
  const lastKeys = new Set(fields.map(({ path }) => path.split('.').at(-1)));
  const parts = nodesOf(tree, 'MemberExpression').filter(
    (one) => isOpen(one) && lastKeys.has(namesOf(one.object as Node).at(-1)),
  );
  const left = [...code, ...attributes]
    .filter((one) => nodesOf(one, 'Identifier').some(({ name }) => lastKeys.has(String(name))))
    .concat(parts)
    .map(placeOf);
  return { images, others, left: lines(left) };
}

/** The first place of each line. */
function lines(places: readonly Place[]): Place[] {
  return [...Map.groupBy(places, ({ line }) => line).values()].flatMap(([place]) => place ?? []);
}

/** Nodes that declare names. */
const declarations = [
  ...['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'],
  ...['VariableDeclarator', 'CatchClause'],
];

const bindingOf = ({ params, id, param }: Node) => [params, id, param];

/** Why `<MediaAsset>` can't have the tag's props. Values that a page computes aren't checked. */
function problemOf({ attributes }: Tag): string | undefined {
  const lacking = 'the tag has a prop or a value that <MediaAsset> refuses';
  if (attributes.has('srcset') || attributes.has('...')) return lacking;
  const props = [...attributes.values()].flatMap((attribute) => {
    const {
      name,
      value: { literal },
    } = toEntry(attribute);
    if (attribute.value === null) return [[name, true]];
    return literal && name !== 'src' ? [[name, literal.value]] : [];
  });
  const { inferSize: _, fallbackFormat: format, ...others } = Object.fromEntries(props);
  const alt = attributes.has('alt') ? { alt: '' } : {};
  try {
    const request = { format, ...alt, ...others, id: 1 };
    parseRequest(request);
    checkProps({ component: 'MediaAsset', page: '', props: request });
    return undefined;
  } catch (thrown) {
    if (isMediaAssetError(thrown, 'alt-missing')) return 'the tag has no alt text';
    if (isMediaAssetError(thrown)) return lacking;
    throw thrown;
  }
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

/** The text or the expression that `src` has. */
function givenBy({ value }: Node): Node | undefined {
  const given = value as Node | null;
  const isExpression = given?.type === 'JSXExpressionContainer';
  return (isExpression ? (given.expression as Node) : given) ?? undefined;
}

/** The image of `image.src`. */
function sourceOf(node: Node | undefined): Node | undefined {
  return namesOf(node).at(-1) === 'src' ? (node?.object as Node | undefined) : undefined;
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

function isOwn({ local, from }: Specifier): boolean {
  return from === 'astro-media-asset/components' && local === 'MediaAsset';
}

function rangeOf({ start, end }: Range): Range {
  return { start, end };
}

import ts from 'typescript';
import { imageOptions } from '../src/assets/request/props.ts';

interface Option {
  readonly name: string;
  /** With the names of what it's in: `service.baseUrl`. */
  readonly path: string;
  readonly text: string;
  /** The docblock as it's written. */
  readonly block: string;
  readonly fallback: string;
}

/** The files with the options' schemas. */
export const optionFiles = [
  'src/config/options.ts',
  'src/config/record-option.ts',
  'src/config/service-settings.ts',
];

const groups: readonly [title: string, schema: string, prefix: string][] = [
  ['Top level', 'optionsSchema', ''],
  ['`service`', 'serviceSchema', 'service.'],
  ['`images`', 'images', ''],
  ['`files`', 'filesSchema', 'files.'],
  ['`record`', 'recordSchema', 'record.'],
  ['`rights`', 'rightsSchema', 'rights.'],
  ['`report`', 'reportSchema', 'report.'],
];

/** The docblocks of all options, by path: `service.baseUrl`. Arguments as for `optionsTable`. */
export function optionBlocks(sources: readonly string[]): ReadonlyMap<string, string> {
  const file = parse(sources.join('\n'));
  const schemas = groups.filter(([, schema]) => schema !== 'images');
  return blocksOf(schemas.flatMap(([, schema, prefix]) => optionsOf(file, schema, prefix)));
}

/** The docblocks of the options of the service client. Arguments as for `clientOptionsTable`. */
export function clientOptionBlocks(sources: readonly string[]): ReadonlyMap<string, string> {
  return blocksOf(optionsOf(parse(sources.join('\n')), 'options'));
}

function blocksOf(options: readonly Option[]): ReadonlyMap<string, string> {
  return new Map(options.map(({ path, block }) => [path, block]));
}

/**
 * All options as Markdown lists, from the docblocks of their schemas.
 *
 * @param sources the texts of `optionFiles`
 */
export function optionsTable(sources: readonly string[]): string {
  const file = parse(sources.join('\n'));
  return groups
    .map(([title, schema, prefix]) => {
      const text = schema === 'images' ? propNames() : list(optionsOf(file, schema), prefix);
      return `## ${title}\n\n${text}`;
    })
    .join('\n\n');
}

/** The components page explains these. */
function propNames(): string {
  const props = '[props of `<MediaAsset>`](components.md#mediaasset)';
  return `${names(imageOptions.map((name) => ({ name })))}: as the ${props}.`;
}

/** Options of the service client for tests, which the page explains together. */
const testOptions = ['fetch', 'clock', 'sleep', 'random', 'lookup'];

/** The files with the schema of the service client. */
export const clientFiles = ['src/service/service-options.ts', 'src/config/service-settings.ts'];

/**
 * The options of the service client, as a Markdown list, from the texts of `clientFiles`. Those that the
 * option `service` has too mean the same, except for the unit of a time.
 */
export function clientOptionsTable(sources: readonly string[]): string {
  const file = parse(sources.join('\n'));
  const options = optionsOf(file, 'options');
  const known = optionsOf(file, 'serviceSchema').map(({ name }) => name);
  const isShared = (name: string) =>
    known.includes(name) && !['tokenStore', 'downloadTimeLimit'].includes(name);
  const shared = options.filter(({ name }) => isShared(name));
  const own = options.filter((one) => !shared.includes(one) && !testOptions.includes(one.name));
  return `- ${names(shared)}: as in the option [\`service\`](options.md#service)\n${list(own)}`;
}

function names(options: readonly Pick<Option, 'name'>[]): string {
  return options.map(({ name }) => `\`${name}\``).join(', ');
}

function parse(source: string): ts.SourceFile {
  return ts.createSourceFile('options.ts', source, ts.ScriptTarget.Latest, true);
}

function list(options: readonly Option[], prefix = ''): string {
  return options
    .map(({ name, text, fallback }) => {
      const end = fallback && ` Default: ${fallback.replace(/\.$/, '')}.`;
      return `- \`${prefix}${name}\`: ${text}${end}`;
    })
    .join('\n');
}

function optionsOf(file: ts.SourceFile, schema: string, prefix = ''): Option[] {
  const found: Option[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === schema && node.initializer) {
      found.push(...shapeOf(node.initializer).flatMap((one) => optionsIn(file, one, prefix)));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (found.length === 0) throw new Error(`The options have no ${schema}.`);
  return found;
}

/** The option of a property, or those of a schema whose shape is spread: `...clientSettings.shape`. */
function optionsIn(
  file: ts.SourceFile,
  property: ts.ObjectLiteralElementLike,
  prefix: string,
): Option[] {
  const spread = ts.isSpreadAssignment(property) ? property.expression : undefined;
  if (!spread || !ts.isPropertyAccessExpression(spread)) return [toOption(property, prefix)];
  return optionsOf(file, spread.expression.getText(), prefix);
}

/** The properties of a schema's object, with any refinements around it. */
function shapeOf(schema: ts.Expression): readonly ts.ObjectLiteralElementLike[] {
  if (!ts.isCallExpression(schema)) return [];
  const {
    expression,
    arguments: [shape],
  } = schema;
  if (ts.isPropertyAccessExpression(expression) && ts.isCallExpression(expression.expression)) {
    return shapeOf(expression.expression);
  }
  return shape && ts.isObjectLiteralExpression(shape) ? [...shape.properties] : [];
}

function toOption(property: ts.ObjectLiteralElementLike, prefix: string): Option {
  const name = property.name?.getText() ?? '';
  const [block] = ts.getJSDocCommentsAndTags(property).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(block?.comment)?.replace(/\s+/g, ' ');
  if (!text) throw new Error(`The option ${name} has no docblock.`);
  const tag = block?.tags?.find(({ tagName }) => tagName.text === 'default');
  const fallback = ts.getTextOfJSDocComment(tag?.comment) ?? '';
  return {
    name,
    path: prefix + name,
    text,
    block: block?.getText() ?? '',
    fallback: /^('[^']*'|\d+|\[\])$/.test(fallback) ? `\`${fallback}\`` : fallback,
  };
}

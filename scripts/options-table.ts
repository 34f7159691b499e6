import ts from 'typescript';

interface Option {
  readonly name: string;
  readonly text: string;
  readonly fallback: string;
}

/** The files with the options' schemas. */
export const optionFiles = [
  'src/config/options.ts',
  'src/config/record-option.ts',
  'src/config/service-settings.ts',
];

/**
 * All options as Markdown lists, from the docblocks of their schemas.
 *
 * @param sources the texts of `optionFiles`
 */
export function optionsTable(sources: readonly string[]): string {
  const file = parse(sources.join('\n'));
  const groups: [title: string, schema: string, prefix: string][] = [
    ['Top level', 'optionsSchema', ''],
    ['`service`', 'serviceSchema', 'service.'],
    ['`images`', 'imagesSchema', 'images.'],
    ['`files`', 'filesSchema', 'files.'],
    ['`record`', 'recordSchema', 'record.'],
    ['`rights`', 'rightsSchema', 'rights.'],
    ['`report`', 'reportSchema', 'report.'],
  ];
  return groups
    .map(([title, schema, prefix]) => {
      const options = optionsOf(file, schema);
      const text = schema === 'imagesSchema' ? propNames(options) : list(options, prefix);
      return `## ${title}\n\n${text}`;
    })
    .join('\n\n');
}

/** The components page explains these. */
function propNames(options: readonly Option[]): string {
  const props = '[props of `<MediaAsset>`](components.md#mediaasset)';
  return `${names(options)}: as the ${props}.`;
}

/** Options of the service client that `mediaAsset()` has too, with the same meaning. */
const sharedOptions = [
  ...['baseUrl', 'accountsUrl', 'authUrl', 'clientId', 'clientSecret', 'tokenEncoding'],
  ...['downloads', 'uploadFields', 'concurrency', 'maxDownloadBytes'],
];

/** Options of the service client for tests, which the page explains together. */
const testOptions = ['fetch', 'clock', 'sleep', 'random', 'lookup'];

/** The options of the service client, as a Markdown list, from the text of its schema. */
export function clientOptionsTable(source: string): string {
  const options = optionsOf(parse(source), 'options');
  const shared = options.filter(({ name }) => sharedOptions.includes(name));
  const own = options.filter((one) => !shared.includes(one) && !testOptions.includes(one.name));
  return `- ${names(shared)}: as in the option [\`service\`](options.md#service)\n${list(own)}`;
}

function names(options: readonly Option[]): string {
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

function optionsOf(file: ts.SourceFile, schema: string): Option[] {
  const found: Option[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === schema && node.initializer) {
      found.push(...shapeOf(node.initializer).map(toOption));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (found.length === 0) throw new Error(`The options have no ${schema}.`);
  return found;
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

function toOption(property: ts.ObjectLiteralElementLike): Option {
  const name = property.name?.getText() ?? '';
  const [block] = ts.getJSDocCommentsAndTags(property).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(block?.comment)?.replace(/\s+/g, ' ');
  if (!text) throw new Error(`The option ${name} has no docblock.`);
  const tag = block?.tags?.find(({ tagName }) => tagName.text === 'default');
  const fallback = ts.getTextOfJSDocComment(tag?.comment) ?? '';
  return {
    name,
    text,
    fallback: /^('[^']*'|\d+|\[\])$/.test(fallback) ? `\`${fallback}\`` : fallback,
  };
}

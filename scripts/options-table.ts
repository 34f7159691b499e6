import ts from 'typescript';

interface Option {
  readonly name: string;
  readonly text: string;
  readonly fallback: string;
}

/** Where the schemas of the options are. */
export const optionFiles = [
  'src/options.ts',
  'src/options/service-options.ts',
  'src/options/files-options.ts',
  'src/options/report-options.ts',
];

/**
 * All options, read off the docblocks of their schemas, as Markdown tables.
 *
 * @param sources the texts of `optionFiles`
 */
export function optionsTable(sources: readonly string[]): string {
  const all = sources.join('\n');
  const file = ts.createSourceFile('options.ts', all, ts.ScriptTarget.Latest, true);
  const groups: [title: string, schema: string, prefix: string][] = [
    ['Options', 'optionsSchema', ''],
    ['`service`', 'serviceSchema', 'service.'],
    ['`files`', 'filesSchema', 'files.'],
    ['`report`', 'reportSchema', 'report.'],
  ];
  return groups
    .map(([title, schema, prefix]) => {
      const rows = optionsOf(file, schema).map(
        ({ name, text, fallback }) => `| \`${prefix}${name}\` | ${text} | ${fallback} |`,
      );
      return [
        `### ${title}`,
        '',
        '| option | meaning | default |',
        '| --- | --- | --- |',
        ...rows,
      ].join('\n');
    })
    .join('\n\n');
}

function optionsOf(file: ts.SourceFile, schema: string): Option[] {
  const found: Option[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === schema && node.initializer) {
      const [shape] = (node.initializer as ts.CallExpression).arguments;
      if (shape && ts.isObjectLiteralExpression(shape))
        found.push(...shape.properties.map(toOption));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (found.length === 0) throw new Error(`The options have no ${schema}.`);
  return found;
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

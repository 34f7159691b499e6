import ts from 'typescript';

interface Option {
  readonly name: string;
  readonly text: string;
  readonly fallback: string;
}

/** The options of `src/options.ts`, read off the docblocks of its schemas, as Markdown tables. */
export function optionsTable(source: string): string {
  const file = ts.createSourceFile('options.ts', source, ts.ScriptTarget.Latest, true);
  const groups: [title: string, schema: string, prefix: string][] = [
    ['Options', 'optionsSchema', ''],
    ['`service`', 'serviceSchema', 'service.'],
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
  if (found.length === 0) throw new Error(`src/options.ts has no ${schema}.`);
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

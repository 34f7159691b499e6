import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { catalogue } from '../src/errors/error-catalogue.ts';
import { type Code, describe } from '../src/errors/errors.ts';

/** The groups of the catalogue in `src/errors/`, in order, with their headings on the page. */
const groups = {
  configurationErrors: 'Configuration',
  requestErrors: 'Props and parameters',
  serviceErrors: 'The service',
  signInErrors: 'Sign-in and tokens',
  imageErrors: 'Images',
  fileErrors: 'Files and videos',
  recordErrors: 'Records and rights',
  pageErrors: 'Built pages',
  usageErrors: 'Usages and the ledger',
  libraryErrors: 'Folders, collections and uploads',
  commandErrors: 'Commands',
  emulatorErrors: 'The emulator',
};

const asked = [{ page: '<page>' }];

/** What the types in details stand for. */
const sampleTypes: Readonly<Record<string, object>> = {
  Subject: { page: '<page>' },
  AssetSubject: { page: '<page>', id: '<id>' },
  Place: { file: '<file>', line: '<line>' },
  UnreadAsset: { id: '<id>', where: '<where>' },
  WrongValue: { name: '<name>', value: '<value>', expected: '<expected>' },
};

/** Details of messages for which placeholders alone don't make a good sentence. */
const samples: Partial<Record<Code, object>> = {
  'service-not-configured': { missing: ['<variable>'] },
  'component-on-demand': { page: '<page>', component: 'MediaAsset', given: '<id>' },
  'page-twice': { page: '<page>', files: ['<file>', '<other file>'] },
  'asset-unknown': { assets: [{ id: '<id>', asked }] },
  'asset-withdrawn': { assets: [{ id: '<id>', asked }] },
  'asset-forbidden': {
    assets: [{ id: '<id>', reason: 'rights ended on <day>', asked }],
  },
  'forbidden-address': { assets: [{ id: '<id>', asked }], fallbacks: [] },
  'rights-ending': { id: '<id>', until: '<day>', asked },
  'rights-unknown': { id: '<id>', asked },
  'clocks-differ': { days: 3 },
  'folder-mismatch': { dir: '<dir>', output: '<output>' },
  'markdown-on-demand': {
    places: [{ place: { file: '<file>' } }],
    routes: ['<route>'],
    islands: [],
  },
  'report-preview': { name: '<host>', preview: 'for a pull request' },
  'usage-unsent': { unsent: 3, reason: '<reason>' },
  'listing-refused': { what: 'assets', id: '<id>', answer: '<answer>' },
};

/** The files of the catalogue. A docblock above an entry is its cause. */
export const errorFiles = ['error-catalogue', 'service-errors', 'asset-errors', 'usage-errors'].map(
  (name) => `src/errors/${name}.ts`,
);

/**
 * Every code with its message, cause and hint, as Markdown.
 *
 * @param sources the texts of `errorFiles`
 */
export function errorsPage(sources: readonly string[]): string {
  const file = ts.createSourceFile('e.ts', sources.join('\n'), ts.ScriptTarget.Latest, true);
  const links = Object.values(groups).map(
    (title) => `[${title}](#${title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')})`,
  );
  const details = detailsByCode();
  const sections = Object.entries(groups).flatMap(([name, title]) => [
    `## ${title}`,
    ...entriesOf(file, name).map((entry) => toSection(entry, details)),
  ]);
  return [links.join(', '), ...sections].join('\n\n');
}

/** What every error and finding can have next to its details. */
const subjectNames = ['page', 'place', 'id', 'caller', 'at'];

/** The details of each code in JSON, with the types of the catalogue. */
function detailsByCode(): ReadonlyMap<string, readonly string[]> {
  const path = fileURLToPath(new URL('../src/errors/error-catalogue.ts', import.meta.url));
  const { NodeNext } = ts.ModuleKind;
  const options = {
    strict: true,
    noEmit: true,
    module: NodeNext,
    allowImportingTsExtensions: true,
  };
  const program = ts.createProgram([path], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  const all = module && checker.getExportsOfModule(module).find(({ name }) => name === 'catalogue');
  if (!all) throw new Error('There is no catalogue.');
  const typeIn = (type: ts.Type, name: string) => {
    const property = type.getProperty(name);
    return property && checker.getTypeOfSymbol(property);
  };
  const detailsOfEntry = (entry: ts.Type | undefined) => {
    const [signature] = (entry && typeIn(entry, 'message'))?.getCallSignatures() ?? [];
    const [details] = signature?.parameters ?? [];
    return (details ? checker.getTypeOfSymbol(details).getProperties() : [])
      .filter(({ name }) => !subjectNames.includes(name))
      .map((property) => {
        const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
        const type = checker.typeToString(checker.getTypeOfSymbol(property));
        const plain = type.replaceAll('readonly ', '').replace(' | undefined', '');
        return `${property.name}${isOptional ? '?' : ''}: ${plain}`;
      });
  };
  const entries = checker.getTypeOfSymbol(all);
  return new Map(
    Object.entries(catalogue).map(([code, { message }]) => [
      code,
      typeof message === 'string' ? namesIn(message) : detailsOfEntry(typeIn(entries, code)),
    ]),
  );
}

/** The placeholders of a message, except for its subject. */
function namesIn(message: string): string[] {
  const names = Array.from(message.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return [...new Set(names)].filter((name) => !subjectNames.includes(name));
}

function entriesOf(file: ts.SourceFile, name: string): readonly ts.PropertyAssignment[] {
  const all = file.statements.filter(ts.isVariableStatement);
  const found = all
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((declaration) => declaration.name.getText() === name)?.initializer;
  if (!found || !ts.isSatisfiesExpression(found)) throw new Error(`There is no ${name}.`);
  const { expression } = found.expression as ts.AsExpression;
  return (expression as ts.ObjectLiteralExpression).properties.filter(ts.isPropertyAssignment);
}

function toSection(
  entry: ts.PropertyAssignment,
  details: ReturnType<typeof detailsByCode>,
): string {
  const code = (entry.name as ts.StringLiteral).text as Code;
  const [block] = ts.getJSDocCommentsAndTags(entry).filter(ts.isJSDoc);
  const named = details.get(code) ?? [];
  const cause = ts.getTextOfJSDocComment(block?.comment)?.replace(/\s+/g, ' ');
  const { message, hint } = describe(code, (samples[code] ?? detailsOf(entry)) as never);
  return [
    `### ${code}`,
    // `show` puts text into quotation marks.
    message.replace(/"(<\w+>)"/g, '$1').replace(/^/gm, '    '),
    ...(cause ? [markdownText(cause)] : []),
    `**Fix:** ${markdownText(hint)}`,
    ...(named.length > 0 ? [`**Details:** ${named.map((one) => `\`${one}\``).join(', ')}`] : []),
  ].join('\n\n');
}

/** A placeholder for each detail that a message always has. */
function detailsOf(entry: ts.PropertyAssignment): unknown {
  const { properties } = entry.initializer as ts.ObjectLiteralExpression;
  const message = (properties[0] as ts.PropertyAssignment).initializer;
  if (ts.isStringLiteralLike(message)) {
    const names = Array.from(message.text.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
    const samples = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
    return names.includes('at') ? { ...sampleTypes.Subject, ...samples } : samples;
  }
  const type = (message as ts.ArrowFunction).parameters[0]?.type;
  return type && sampleOf('details', type);
}

function sampleOf(name: string, type: ts.TypeNode): unknown {
  if (ts.isTypeOperatorNode(type)) return sampleOf(name, type.type);
  if (ts.isArrayTypeNode(type)) return [sampleOf(name.replace(/s$/, ''), type.elementType)];
  if (type.kind === ts.SyntaxKind.BooleanKeyword) return false;
  if (ts.isIntersectionTypeNode(type)) {
    return Object.assign({}, ...type.types.map((part) => sampleOf(name, part)));
  }
  if (!ts.isTypeLiteralNode(type)) return sampleTypes[type.getText()] ?? `<${name}>`;
  const needed = type.members
    .filter(ts.isPropertySignature)
    .filter(({ questionToken }) => !questionToken);
  return Object.fromEntries(
    needed.map((member) => {
      const key = member.name.getText();
      return [key, member.type && sampleOf(key, member.type)];
    }),
  );
}

/** Text between backticks is code, and shows its `<` unescaped. */
function markdownText(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('`');
}

/**
 * Gives the options in `dist` their docblocks, for editors. The schemas declare the options, and types that
 * zod infers from a schema have no docblocks. So the two types of options become interfaces. Part of the
 * build.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { clientFiles, clientOptionBlocks, optionBlocks, optionFiles } from './options-table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (files: readonly string[]) =>
  Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));

/** The types to document: where they're declared, and the docblocks of their properties by path. */
const documented = [
  ['dist/config/options.d.ts', 'OptionsInput', optionBlocks(await read(optionFiles))],
  [
    'dist/service/service-options.d.ts',
    'MediaServiceOptions',
    clientOptionBlocks(await read(clientFiles)),
  ],
] as const;

const program = ts.createProgram(
  documented.map(([file]) => join(root, file)),
  {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ESNext,
    // As a site without a browser's types has them.
    lib: ['lib.es2024.d.ts', 'lib.esnext.array.d.ts'],
    types: ['node'],
  },
);
const checker = program.getTypeChecker();

for (const [file, name, blocks] of documented) {
  const path = join(root, file);
  const source = program.getSourceFile(path);
  const declared = source?.statements.find(
    (one) =>
      (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) && one.name.text === name,
  );
  if (!source || !declared) throw new Error(`${file} has no ${name}.`);
  const used = new Set<string>();
  const body = bodyOf(checker.getTypeAtLocation(declared), { at: declared, blocks, used });
  const left = [...blocks.keys()].filter((one) => !used.has(one));
  if (left.length > 0) throw new Error(`${name} has no ${left.join(', ')}.`);
  const text = source.text;
  const start = declared.getStart(source);
  const changed = `${text.slice(0, start)}export interface ${name} ${body}${text.slice(declared.end)}`;
  const parsed = ts.createSourceFile(path, changed, ts.ScriptTarget.ESNext);
  await writeFile(path, ts.createPrinter().printFile(parsed));
}

interface Place {
  readonly at: ts.Node;
  readonly blocks: ReadonlyMap<string, string>;
  /** The paths of the docblocks that were written. */
  readonly used: Set<string>;
}

/** The properties of a type, in braces. */
function bodyOf(type: ts.Type, place: Place, prefix = ''): string {
  const lines = checker.getPropertiesOfType(type).map((property) => {
    const path = prefix + property.name;
    const block = place.blocks.get(path);
    if (block !== undefined) place.used.add(path);
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const own = checker.getTypeOfSymbolAtLocation(property, place.at);
    return `${block ?? ''}\n${property.name}${isOptional ? '?' : ''}: ${textOf(own, place, path)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** A type as text. Objects with documented properties are written out. */
function textOf(type: ts.Type, place: Place, path: string): string {
  const parts = type.isUnion() ? type.types : [type];
  const isDocumented = (part: ts.Type) =>
    checker.getPropertiesOfType(part).some(({ name }) => place.blocks.has(`${path}.${name}`));
  if (!parts.some(isDocumented)) return written(type, place);
  const texts = parts.map((part) =>
    isDocumented(part) ? bodyOf(part, place, `${path}.`) : written(part, place),
  );
  return texts.map((text) => (text.includes('=>') ? `(${text})` : text)).join(' | ');
}

function written(type: ts.Type, { at }: Place): string {
  const flags =
    ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
  const folder = dirname(at.getSourceFile().fileName);
  return checker
    .typeToString(type, at, flags)
    .replace(/import\(["'](\/[^"']+)["']\)/g, (_, file: string) => {
      const way = relative(folder, file).replaceAll('\\', '/');
      return `import('${way.startsWith('.') ? way : `./${way}`}.js')`;
    });
}

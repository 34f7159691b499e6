/**
 * Changes one thing at a time in a room's code, and prints the changes that its tests don't notice:
 * `npm run mutants -- src/usage/plan`. Arguments: folders or files below `src`. `--count` changes
 * (default: 40), chosen by `--seed`. `--all` tests with all fast tests, also those that run the built
 * package, instead of those that import the file: slow.
 *
 * Works in a copy of the project. It isn't part of CI: some changes mean the same, so a person judges.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import glob from 'fast-glob';
import ts from 'typescript';

interface Mutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Longer than the tests of any file take, in ms. A change that makes a loop endless takes longer. */
const patience = 300_000;

const { values: flags, positionals: rooms } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (rooms.length === 0) throw new Error('Name a room: npm run mutants -- src/usage/plan');

const operators: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '&&': '||', '||': '&&', '??': '&&', '+': '-', '-': '+', '*': '/', '/': '*' },
};
const methods: Readonly<Record<string, string>> = {
  ...{ some: 'every', every: 'some', min: 'max', max: 'min', ceil: 'floor', floor: 'ceil' },
  ...{ startsWith: 'endsWith', endsWith: 'startsWith', find: 'findLast', at: 'indexOf' },
};
/** Calls that can be left out. */
const steps = new Set(['sort', 'filter', 'slice', 'trim', 'toLowerCase', 'reverse', 'normalize']);

/** All single changes of a file. */
function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const add = (node: ts.Node, text: string) => {
    found.push({ file, start: node.getStart(tree), end: node.getEnd(), text });
  };
  const visit = (node: ts.Node): void => {
    // Types have no effect, and texts for people are tested as they are.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node))
      return;
    if (ts.isBinaryExpression(node)) {
      const other = operators[node.operatorToken.getText(tree)];
      if (other) add(node.operatorToken, other);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, node.operand.getText(tree));
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(tree)})`);
    if (ts.isConditionalExpression(node)) {
      add(node, `(${node.whenTrue.getText(tree)})`);
      add(node, `(${node.whenFalse.getText(tree)})`);
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`);
    if (ts.isExpressionStatement(node)) add(node, ';');
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const other = methods[name.text];
      if (other) add(name, other);
      if (steps.has(name.text)) add(node, expression.getText(tree));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** A copy of the project, with the same packages. */
async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'mutants-'));
  const left = new Set(
    ['.git', 'node_modules', '.media-asset', '.emulator'].map((name) => join(root, name)),
  );
  await cp(root, copy, { recursive: true, filter: (path) => !left.has(path) });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

type Outcome = 'noticed' | 'too slow' | 'survives';

async function outcomeOf(words: readonly string[], cwd: string): Promise<Outcome> {
  const child = spawn(process.execPath, words, { cwd, stdio: 'ignore', timeout: patience });
  const [code] = await once(child, 'exit');
  if (code === null) return 'too slow';
  return code === 0 ? 'survives' : 'noticed';
}

/** Tests a change: first with the tests of its folder, then with all that import its file. */
async function tryOut({ file, start, end, text }: Mutant, copy: string): Promise<Outcome> {
  const path = join(copy, file);
  const source = await readFile(path, 'utf8');
  const vitest = ['node_modules/vitest/vitest.mjs', '--tags-filter=!slow', '--bail=1'];
  const unit = [...vitest, '--project=unit', '--passWithNoTests'];
  const stages = flags.all
    ? [
        ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
        [...vitest, 'run'],
      ]
    : [
        [...unit, 'run', dirname(file).replace(/^src/, 'test')],
        [...unit, 'related', '--run', path],
      ];
  try {
    await writeFile(path, source.slice(0, start) + text + source.slice(end));
    for (const words of stages) {
      const outcome = await outcomeOf(words, copy);
      if (outcome !== 'survives') return outcome;
    }
    return 'survives';
  } finally {
    await writeFile(path, source);
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function describe({ file, start, end, text }: Mutant, source: string): string {
  const line = source.slice(0, start).split('\n').length;
  const whole = source.split('\n')[line - 1]?.trim() ?? '';
  const short = (code: string) => code.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line}  ${short(source.slice(start, end))}  →  ${short(text)}\n    ${whole}`;
}

const files = (
  await glob(
    rooms.map((room) => (/\.ts$/.test(room) ? room : `${room}/**/*.ts`)),
    { cwd: root },
  )
).sort();
const sources = new Map<string, string>();
for (const file of files) sources.set(file, await readFile(join(root, file), 'utf8'));
const all = [...sources].flatMap(([file, source]) => mutantsOf(relative('.', file), source));
const random = randomOf(Number(flags.seed));
const chosen = all
  .map((mutant) => ({ mutant, place: random() }))
  .sort((one, other) => one.place - other.place)
  .slice(0, Number(flags.count))
  .map(({ mutant }) => mutant);
console.info(
  `${chosen.length} of ${all.length} changes in ${files.length} files, seed ${flags.seed}`,
);

const copy = await copyProject();
const survivors: string[] = [];
try {
  // The tests must pass as long as nothing is changed.
  for (const file of new Set(chosen.map((mutant) => mutant.file))) {
    const outcome = await tryOut({ file, start: 0, end: 0, text: '' }, copy);
    if (outcome !== 'survives') throw new Error(`The tests of ${file} fail without a change.`);
  }
  for (const [index, mutant] of chosen.entries()) {
    const outcome = await tryOut(mutant, copy);
    const text = describe(mutant, sources.get(mutant.file) ?? '');
    if (outcome === 'survives') survivors.push(text);
    console.info(`${index + 1}/${chosen.length} ${outcome}: ${text.split('\n')[0]}`);
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
const percent = Math.floor((100 * (chosen.length - survivors.length)) / chosen.length);
console.info(`\n${percent} % noticed. Survivors: ${survivors.length || 'none'}`);
for (const text of survivors) console.info(text);

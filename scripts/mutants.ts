/**
 * Changes one thing at a time in a room's code, and prints the changes that its tests don't notice:
 * `npm run mutants -- src/usage/plan`. Arguments: folders or files below `src`. `--count` changes
 * (default: 40), chosen by `--seed`. `--all` tests with all fast tests, also those that run the built
 * package, instead of those that import the file and the compiler: slow.
 *
 * Works in a copy of the project. It isn't part of CI: some changes mean the same, so a person judges.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
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

/** Longer than any step takes, in ms. A change that makes a loop endless takes longer. */
const patience = 600_000;

const { values: flags, positionals: rooms } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (rooms.length === 0) throw new Error('Name a room: npm run mutants -- src/usage/plan');

const operators = new Map(
  Object.entries({
    ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
    ...{ '&&': '||', '||': '&&', '??': '&&', '+': '-', '-': '+', '*': '/', '/': '*' },
  }),
);
const methods = new Map(
  Object.entries({
    ...{ some: 'every', every: 'some', min: 'max', max: 'min', ceil: 'floor', floor: 'ceil' },
    ...{ startsWith: 'endsWith', endsWith: 'startsWith', find: 'findLast', at: 'indexOf' },
  }),
);
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
      const other = operators.get(node.operatorToken.getText(tree));
      const [left, right] = [node.left.getText(tree), node.right.getText(tree)];
      // In brackets, because `&&` and `??` can't be mixed.
      if (other) add(node, `((${left}) ${other} (${right}))`);
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
      const other = methods.get(name.text);
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

/** `by`: the test that fails. A test that times out on a busy machine has noticed nothing. */
type Outcome = { readonly kind: 'noticed' | 'too slow' | 'survives'; readonly by?: string };

async function outcomeOf(words: readonly string[], cwd: string): Promise<Outcome> {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const path = join(cwd, 'outcome.txt');
  const file = await open(path, 'w');
  const stdio = ['ignore', file.fd, file.fd] as const;
  const child = spawn(process.execPath, words, { cwd, env, stdio: [...stdio], detached: true });
  // With its workers: one in an endless loop outlasts the process that has started it.
  const end = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  const timer = setTimeout(end, patience);
  process.once('exit', end);
  const [code] = await once(child, 'exit');
  process.off('exit', end);
  clearTimeout(timer);
  await file.close();
  if (code === 0) return { kind: 'survives' };
  const text = await readFile(path, 'utf8');
  if (code === null || /^Error: (?:Test|Hook) timed out/m.test(text)) return { kind: 'too slow' };
  const failed = /^ FAIL +(?:\|?unit\|? +)?(.+)$|^(.+): error TS/m.exec(text);
  const [error] = /^\w*Error: .+$/m.exec(text) ?? [];
  return { kind: 'noticed', by: failed?.[1] ?? failed?.[2] ?? error ?? `exit code ${code}` };
}

const vitest = ['node_modules/vitest/vitest.mjs', '--tags-filter=!slow and !timed', '--bail=1'];
const unit = [...vitest, '--project=unit', '--passWithNoTests'];

/** What can notice changes in these files: what takes least time first. */
function stagesOf(files: readonly string[]): string[][] {
  if (flags.all) {
    return [
      ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
      ['scripts/document-options.ts'],
      [...vitest, 'run'],
    ];
  }
  const folders = files.map((file) => dirname(file).replace(/^src/, 'test'));
  return [
    [...unit, 'run', ...new Set(folders)],
    [...unit, 'related', '--run', ...files],
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--declaration', 'false'],
  ];
}

/** Tests the copy with a change, or as it is. */
async function tryOut(mutant: Mutant | undefined, copy: string): Promise<Outcome> {
  const files = mutant ? [mutant.file] : [...new Set(chosen.map(({ file }) => file))];
  const path = join(copy, files[0] ?? '');
  const source = await readFile(path, 'utf8');
  try {
    if (mutant) {
      const { start, end, text } = mutant;
      await writeFile(path, source.slice(0, start) + text + source.slice(end));
    }
    for (const words of stagesOf(files)) {
      const outcome = await outcomeOf(words, copy);
      if (outcome.kind !== 'survives') return outcome;
    }
    return { kind: 'survives' };
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

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const copy = await copyProject();
const survivors: string[] = [];
let tooSlow = 0;
try {
  const unchanged = await tryOut(undefined, copy);
  if (unchanged.kind !== 'survives') {
    throw new Error(`Without a change: ${unchanged.by ?? unchanged.kind}`);
  }
  for (const [index, mutant] of chosen.entries()) {
    const { kind, by } = await tryOut(mutant, copy);
    const text = describe(mutant, sources.get(mutant.file) ?? '');
    if (kind === 'survives') survivors.push(text);
    if (kind === 'too slow') tooSlow += 1;
    console.info(
      `${index + 1}/${chosen.length} ${kind}: ${text.split('\n')[0]}${by ? `\n    ${by}` : ''}`,
    );
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
const noticed = chosen.length - survivors.length - tooSlow;
console.info(
  `\n${noticed} of ${chosen.length} noticed, ${tooSlow} too slow. Survivors: ${survivors.length || 'none'}`,
);
for (const text of survivors) console.info(text);

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Words that read as translated, and what to write instead. */
const oldWords: readonly [pattern: RegExp, instead: string][] = [
  [/\b(?:no|some)body\b/i, 'no one, someone, or the subject'],
  [/\banew\b/i, 'again'],
  [/\bbesides?\b/i, 'next to, with'],
  [/\bbe had\b/i, 'be loaded, be found'],
  [/\bthose that\b/i, 'the noun'],
  [/\bin place of\b/i, 'instead of'],
  [/\bputs? (?:it |them |this )?right\b|\bmend(?:s|ed|ing)?\b/i, 'repairs'],
  [/\bcannot\b/i, "can't"],
  [/\b(?:is|are|was|were|do|does|did|has|have|could|would|should|will) not\b/i, "isn't, doesn't"],
  [/(?<!\bthere )\b(?:is|are|was|were) no\b(?! longer)/i, "isn't a"],
  [/\bis to be\b/i, 'a verb'],
  [/\bbut for\b/i, 'except, unless'],
  [/\b(?:whatever|whoever|that which|lest|hence|thereby|thereof|whereby)\b/i, 'the noun'],
  [/\ba text\b(?! (?:column|type))|\bSVG drawings?\b/i, 'a string, text, an SVG'],
  [/\ba person\b/i, 'you, someone'],
  [/\b(?:is|are|be) said\b/i, 'is reported'],
  [/\bstands?\b(?! for\b)/i, 'is'],
  [/(?:^|, )where (?:it|there|they|none|only|nothing|no)\b/i, 'if, when'],
  [/(?<![<-])\bpictures?\b(?![->])/i, 'image'],
  [/(?<![-\w])ids(?![-\w])|\b(?:an|asset|bad|client|folder|no) id\b(?!-)/, 'ID'],
  [/(?:^|[.!?] |\| |^- )(?:What|Whatever|Whoever) (?:is|was|a|the|has)\b(?![^.|]*\?)/, 'the noun'],
];

function wordsIn(place: string, text: string): string[] {
  return oldWords.flatMap(([pattern, instead]) => {
    const word = pattern.exec(text)?.[0];
    return word ? [`${place}: “${word}”: write ${instead}`] : [];
  });
}

const patterns = ['*.md', '{docs,bench,examples,fixtures,playground}/**/*.md', '.changeset/*.md'];
const pages = await fastGlob(patterns, {
  cwd: root,
  dot: true,
  ignore: ['**/node_modules/**', 'fixtures/sites/**', 'playground/src/**'],
});

test.each(pages.sort())('no sentence of %s reads as translated', async (page) => {
  const text = await readFile(join(root, page), 'utf8');
  const prose = text
    .replace(/```.*?```/gs, (code) => code.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`|\]\([^)\n]*\)|^### [\w-]+$|^ {4}\S.*$/gm, 'code');
  const found = prose.split('\n').flatMap((line, index) => wordsIn(`${page}:${index + 1}`, line));
  expect(found).toEqual([]);
});

test('no text that the package prints reads as translated', async () => {
  const files = await fastGlob('src/**/*.{ts,js}', { cwd: root });
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      const isText =
        ts.isStringLiteral(node) ||
        ts.isNoSubstitutionTemplateLiteral(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddleOrTemplateTail(node);
      if (isText && isSentence(node.text)) {
        const { line } = source.getLineAndCharacterOfPosition(node.pos);
        found.push(...wordsIn(`${file}:${line + 1}`, node.text.replace(/`[^`]*`/g, 'code')));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(found).toEqual([]);
});

/** Neither a name, nor SQL, nor a list of tags. */
function isSentence(text: string): boolean {
  return / /.test(text) && !/\b(?:SELECT|UPDATE|INSERT|NULL)\b|^[a-z -]+ video$|^audio /.test(text);
}

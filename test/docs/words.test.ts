import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Words that read as translated, and what to write instead. Errors and `--help` are in the docs too. */
const oldWords: readonly [pattern: RegExp, instead: string][] = [
  [/\b(?:no|some)body\b/i, 'no one, someone, or the subject'],
  [/\banew\b/i, 'again'],
  [/\bbesides?\b/i, 'next to, with'],
  [/\bbe had\b/i, 'be loaded, be found'],
  [/\bthose that\b/i, 'the noun'],
  [/\bin place of\b/i, 'instead of'],
  [/\bputs? (?:it |them |this )?right\b/i, 'repairs'],
  [/\bcannot\b/i, "can't"],
  [/\bis to be\b|\bthere is not\b/i, 'a verb'],
  [/\bbut for\b/i, 'except, unless'],
  [/(?:^|[.!?] |\| |^- )(?:What|Whatever|Whoever) (?:is|was|a|the|has)\b(?![^.|]*\?)/m, 'the noun'],
];

async function pages(): Promise<string[]> {
  const files = await readdir(join(root, 'docs'), { recursive: true });
  return [
    'README.md',
    ...files.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
  ];
}

test('no page of the docs, error or help text reads as translated', async () => {
  const found: string[] = [];
  for (const page of await pages()) {
    const text = await readFile(join(root, page), 'utf8');
    // Code is read by programs.
    const prose = text.replace(/```.*?```/gs, (code) => code.replace(/[^\n]/g, ''));
    prose.split('\n').forEach((line, index) => {
      for (const [pattern, instead] of oldWords) {
        const word = pattern.exec(line)?.[0];
        if (word) found.push(`${page}:${index + 1}: “${word}”: write ${instead}`);
      }
    });
  }
  expect(found).toEqual([]);
});

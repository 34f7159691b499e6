import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { propNames } from '../../src/assets/request/props.ts';

const read = (path: string) =>
  readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** The docblock of each prop in the interfaces of a source text. */
function docblocks(source: string): Map<string, string | undefined> {
  const file = ts.createSourceFile('props.ts', source, ts.ScriptTarget.Latest, true);
  const names = ['ImageRequest', 'ImageProps', 'MediaAddress'];
  const interfaces = file.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => names.includes(name.text));
  const members = interfaces.flatMap(({ members }) => [...members]);
  return new Map(
    members.map((member) => {
      const [block] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
      return [member.name?.getText() ?? '', ts.getTextOfJSDocComment(block?.comment)];
    }),
  );
}

const source = await read('src/assets/request/props.ts');
const page = await read('docs/reference/components.md');
const markdown = await read('docs/guides/markdown.md');

describe.each(propNames())('the prop %s', (name) => {
  test('has a docblock in its interface, which editors show', () => {
    expect(docblocks(source).get(name)).toMatch(/\w/);
  });

  test('is named by the reference', () => {
    expect(name === 'decoration' ? markdown : page).toContain(`\`${name}\``);
  });
});

test('an interface without a docblock is noticed', () => {
  const bare = source.replace(/\/\*\*(?:(?!\*\/).)*\*\/(\s*readonly fit\?)/s, '$1');
  expect(docblocks(bare).get('fit')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { insertImage } from '../../../src/authoring/source/edit/insert-image.ts';
import type { NewImage } from '../../../src/authoring/toolbar/protocol.ts';

const quay = '![A quay](media:4711)';

/** Inserts before or after the block that starts with a text. */
async function insert(
  text: string,
  at: string,
  { path = 'a.md', isAfter = false, images = [{ id: 4711, alt: 'A quay' }] as NewImage[] } = {},
) {
  const block = { file: path, line: 1, start: text.lastIndexOf(at), hash: '' };
  return insertImage(text, { block, isAfter, images });
}

test.each<[string, string, string, string, number]>([
  ['the only block', 'One\n', 'One', `${quay}\n\nOne\n`, 1],
  ['a paragraph', 'One\n\nTwo\n', 'Two', `One\n\n${quay}\n\nTwo\n`, 3],
  ['a heading that ends a paragraph', 'One\n# Two\n', '# T', `One\n\n${quay}\n\n# Two\n`, 3],
  [
    'a block below frontmatter',
    '---\na: 1\n---\nOne',
    'One',
    `---\na: 1\n---\n\n${quay}\n\nOne`,
    5,
  ],
  ['an indented block', 'One\n\n  Two\n', 'Two', `One\n\n${quay}\n\n  Two\n`, 3],
  ['a line', 'One\r\n\r\n---\r\n', '---', `One\r\n\r\n${quay}\r\n\r\n---\r\n`, 3],
])('inserts before %s, with empty lines around it', async (_, text, at, expected, line) => {
  expect(await insert(text, at)).toEqual({ text: expected, line });
});

test.each<[string, string, string, string, number]>([
  ['the last block', 'One\n', 'One', `One\n\n${quay}\n`, 3],
  ['a block without a line end', 'One', 'One', `One\n\n${quay}`, 3],
  ['a paragraph', 'One\nline\n\nTwo', 'One', `One\nline\n\n${quay}\n\nTwo`, 4],
  ['a heading', '# One\nTwo\n', '# One', `# One\n\n${quay}\n\nTwo\n`, 3],
  [
    'a list',
    '- a\n\n  b\n\n```js\n1\n```\n',
    '- a',
    `- a\n\n  b\n\n${quay}\n\n\`\`\`js\n1\n\`\`\`\n`,
    5,
  ],
  ['a quote', '> a\r\nb\r\n', '> a', `> a\r\nb\r\n\r\n${quay}\r\n`, 4],
])('inserts after %s, with empty lines around it', async (_, text, at, expected, line) => {
  expect(await insert(text, at, { isAfter: true })).toEqual({ text: expected, line });
});

test.each<[string, string, string, { isAfter?: boolean; path?: string }, string]>([
  ['a paragraph', 'One\n', 'One', {}, '- ![A](media:1)\n- ![](media:2?decoration)\n\nOne\n'],
  [
    'a list, with another marker',
    '- One\n',
    '- One',
    { isAfter: true, path: 'a.mdx' },
    '- One\n\n* ![A](media:1)\n* ![](media:2?decoration)\n',
  ],
  [
    'two lists',
    '- One\n\n* Two\r\n',
    '* Two',
    {},
    '- One\n\n+ ![A](media:1)\r\n+ ![](media:2?decoration)\r\n\r\n* Two\r\n',
  ],
])(
  'inserts several images next to %s as a list of their own',
  async (_, text, at, given, expected) => {
    const images = [
      { id: 1, alt: 'A' },
      { id: 2, alt: '' },
    ];
    expect((await insert(text, at, { images, ...given })).text).toBe(expected);
  },
);

test.each<[string, NewImage, string]>([
  ["without a text, for the record's", { id: -3 }, '![](media:-3)'],
  [
    'that is another file, as a link',
    { id: 3, link: 'A [b] & *c*' },
    '[A \\[b\\] & \\*c\\*](media:3)',
  ],
  ['as decoration', { id: 3, alt: '' }, '![](media:3?decoration)'],
  [
    'with a crop and a text that is Markdown',
    { id: 3, alt: '](x) {1} <b>\n`_*', crop: { x: 1, y: 2, width: 3, height: 4 } },
    '![\\](x) \\{1\\} \\<b>&#10;\\`\\_\\*](media:3?crop=1,2,3,4)',
  ],
  [
    'with a shape and a focus',
    { id: 3, alt: 'A', aspect: '4:3', focus: { x: 0.5, y: 0.25 } },
    '![A](media:3?aspect=4:3&focus=0.5,0.25)',
  ],
])('writes an image %s', async (_, image, expected) => {
  const { text } = await insert('One\n', 'One', { path: 'a.mdx', images: [image] });
  expect(text).toBe(`${expected}\n\nOne\n`);
});

test.each<[string, string, string, object?]>([
  ['in a list', '- One\n\n  Two\n', 'Two'],
  ['in JSX', '<X>\n\nOne\n\n</X>\n', 'One', { path: 'a.mdx' }],
  ['within a paragraph', 'One Two\n', 'Two'],
  ['in frontmatter', '---\na: One\n---\n\nTwo\n', 'One'],
  ['in an .astro file', 'One\n', 'One', { path: 'a.astro' }],
  ['in data', 'One\n', 'One', { path: 'a.yaml' }],
  ['for half a character', 'One\n', 'One', { images: [{ id: 3, alt: '\uD83D' }] }],
  ['for a NUL', 'One\n', 'One', { images: [{ id: 3, alt: 'a\0' }] }],
])('refuses a place %s', async (_, text, at, options = {}) => {
  await expect(insert(text, at, options)).rejects.toMatchObject({ code: 'source-unsafe' });
});

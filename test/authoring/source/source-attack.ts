import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AssetChange } from '../../../src/authoring/toolbar/protocol.ts';

const pieces = readFileSync(
  join(import.meta.dirname, '../../../fixtures/source/odd-pieces.txt'),
  'utf8',
);

/** Random sources, written as oddly as people and tools write them, with one or more places of 4711. */

/** The pieces of a section in the file: a JSON string per line. */
function piecesOf(name: string): string[] {
  const section = pieces.split(/^== /m).find((one) => one.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`No pieces for ${name}`);
  return section
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const oneOf = (name: string) => fc.constantFrom(...piecesOf(name));
const pick = (...texts: string[]) => fc.constantFrom(...texts);
const maybe = (one: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), one);
const glue = (...parts: (fc.Arbitrary<string> | string)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));
const some = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts.map((part) => fc.option(part, { nil: undefined }))).chain((texts) => {
    const given = texts.filter((text) => text !== undefined);
    return fc.shuffledSubarray(given, { minLength: given.length });
  });

const oddText = oneOf('texts');
const text = fc.oneof(
  oddText,
  fc.array(oddText, { maxLength: 4 }).map((texts) => texts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const side = fc.integer({ min: 1, max: 9999 });
const share = fc.integer({ min: 1, max: 499 }).map((n) => n / 1000);
const plain = { noNullPrototype: true } as const;
const crop = fc.oneof(
  fc.record({ x: side, y: side, width: side, height: side }, plain),
  fc.record(
    { unit: fc.constant('fraction' as const), x: share, y: share, width: share, height: share },
    plain,
  ),
  fc.record(
    { unit: fc.constant('pixel' as const), x: side, y: side, width: side, height: side },
    plain,
  ),
);

const props = {
  id: fc.constantFrom(1, 12, -7, 4711, 9_007_199_254_740_991),
  alt: text,
  crop: fc.option(crop, { freq: 4 }),
  aspect: fc.option(
    fc.oneof(fc.constantFrom(1.5, 2, 0.001), fc.constantFrom('16:9', '1:1', '3/2')),
  ),
  focus: fc.option(
    fc.oneof(fc.constant('attention' as const), fc.record({ x: share, y: share }, plain)),
  ),
};
const sources = fc.array(fc.record({ index: fc.nat(1), crop: fc.option(crop) }, plain), {
  minLength: 1,
  maxLength: 2,
});

export const change: fc.Arbitrary<AssetChange> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ alt: text }, plain) },
  { weight: 2, arbitrary: fc.record({ crop: props.crop }, plain) },
  {
    weight: 3,
    arbitrary: fc.record(props, { requiredKeys: [], ...plain }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ...props, sources }, { requiredKeys: ['sources'], ...plain }),
  },
);

const lines = pick('\n', '\n', '\n', '\r\n');
const inLines = (source: fc.Arbitrary<string>) =>
  fc.tuple(source, lines).map(([text, end]) => text.replaceAll(/\r?\n/g, end));

// YAML

const yamlNumber = oneOf('yaml numbers');
const yamlFlowCrop = oneOf('yaml crops');
const yamlAlt = oneOf('yaml alts');
const yamlComment = oneOf('yaml comments');
const flowEntry = (key: string, value: fc.Arbitrary<string>) =>
  glue(pick(key, key, `"${key}"`, `'${key}'`), pick(': ', ': ', ' : ', ':  '), value);
const yamlSources = oneOf('yaml sources');
const flowHero = fc
  .tuple(
    some(
      flowEntry('alt', yamlAlt),
      flowEntry('crop', yamlFlowCrop),
      flowEntry('aspect', pick('1.5', '"16:9"', '16:9', '3/2')),
      flowEntry('focus', pick('attention', '{ x: 0.5, y: 0.5 }', '{x: .5, y: 1}')),
      pick(
        'preset: wide',
        'priority: true',
        '<<: *base',
        'widths: [ 1, 2 ]',
        'alt: Twice',
        'id: 4711',
      ),
      flowEntry('sources', yamlSources),
    ),
    flowEntry('id', yamlNumber),
    fc.nat(6),
    pick(', ', ', ', ',', ' , ', ',\n      ', ', # c\n      ', '\n      , '),
    pick(
      '{ |}',
      '{|}',
      '{ |, }',
      '{\n      |\n    }',
      '{|,}',
      '{ # c\n      |\n    }',
      '&h { | }',
      '!!map { | }',
    ),
  )
  .map(([others, id, at, comma, frame]) =>
    frame.replace('|', () => others.toSpliced(at, 0, id).join(comma)),
  );
const blockEntry = (key: string, value: fc.Arbitrary<string>) =>
  glue(
    pick(key, key, key, `"${key}"`, `? ${key}\n    `),
    pick(': ', ': ', ':  ', ' : '),
    value,
    maybe(yamlComment),
  );
const blockHero = fc
  .tuple(
    some(
      blockEntry(
        'alt',
        fc.oneof(
          yamlAlt,
          pick(
            '>\n      Old\n      quay',
            '|\n      Old\n\n      quay',
            '|-\n      a',
            '>+\n      a\n',
          ),
        ),
      ),
      blockEntry(
        'crop',
        fc.oneof(
          yamlFlowCrop,
          pick(
            '\n      x: 1\n      y: 2 # c\n      width: 3\n      height: 4',
            '# c\n      x: 1\n      y: 2\n      width: 3\n      height: 4',
          ),
        ),
      ),
      blockEntry('aspect', pick('1.5', '"16:9"', '16:9')),
      blockEntry('focus', pick('attention', '{ x: 0.5, y: 0.5 }', '\n      x: 0.5\n      y: 0.5')),
      pick(
        'preset: wide',
        'priority: true',
        '<<: *base',
        '# only a comment',
        'widths:\n    - 1\n    - 2',
        '<<: [*base]',
      ),
      blockEntry('sources', yamlSources),
    ),
    blockEntry('id', yamlNumber),
    fc.nat(6),
    pick('\n    ', '\n    ', '\n    ', '\n\n    ', '\n    # between\n    ', '\n  # left\n    '),
  )
  .map(([others, id, at, between]) => others.toSpliced(at, 0, id).join(between));
const addressHero = oneOf('yaml addresses');
const inOrder = (entries: string[]) => entries.map((entry) => `${entry}\n`).join('');
const entriesOf = (pieces: string[], maxLength?: number) =>
  fc.shuffledSubarray(pieces, maxLength === undefined ? {} : { maxLength }).map(inOrder);
const hasAnchor = (entry: string) => entry.includes('&');
const before = piecesOf('yaml before');
/** Few entries, except for those that aliases need: a parser reads all of them for each edit. */
const yamlBefore = glue(
  entriesOf(
    before.filter((entry) => !hasAnchor(entry)),
    2,
  ),
  entriesOf(before.filter(hasAnchor)),
);
const yamlAfter = entriesOf(piecesOf('yaml after'), 4);
const yamlHero = fc.oneof(
  glue('hero: ', flowHero, maybe(yamlComment), '\n'),
  glue('hero:\n    ', blockHero, '\n'),
  glue('hero: # c\n    ', blockHero, '\n'),
  glue('hero: &h\n    ', blockHero, '\n'),
  glue('heroes:\n  - ', blockHero, '\n  - id: 12\n'),
  glue('heroes:\n  - - ', flowHero, '\n    - ', addressHero, '\n'),
  glue('heroes: [ ', flowHero, ', ', flowHero, ' ]\n'),
  glue('hero: ', addressHero, maybe(yamlComment), '\n'),
  glue('? hero\n: ', flowHero, '\n'),
  glue('a:\n  "b c":\n    no:\n    - ', flowHero, '\n'),
);
/** Without the lines whose alias has no anchor, which no parser reads. */
const yamlBody = glue(yamlBefore, yamlHero, yamlAfter).map((body) =>
  body
    .split('\n')
    .filter((line) =>
      Array.from(line.matchAll(/\*(\w+)/g)).every(
        ([, name]) => body.includes(`&${name} `) || body.includes(`&${name}\n`),
      ),
    )
    .join('\n'),
);
export const yaml = inLines(
  glue(
    maybe(pick('---\n', '# top\n---\n', '%YAML 1.2\n---\n')),
    yamlBody,
    maybe(pick('...\n', '# end')),
  ),
);
export const frontmatter = inLines(
  glue(
    '---\n',
    yamlBody,
    '---\n',
    pick('', '# Quay\n\n![Quay](media:4711)\n', '\ntext\n---\nmore\n', '\n```\n---\n'),
  ),
);

// JSON

const jsonEntries = fc
  .tuple(
    some(
      pick(
        '"alt": "Quay"',
        '"alt":"a \\" \\u0041 \\\\ b"',
        '"alt": null',
        '"\\u0061lt": "Quay"',
        '"alt": "\\ud83d\\ude00\\/"',
      ),
      pick(
        '"crop": { "x": 1, "y": 2, "width": 3, "height": 4 }',
        '"crop":{"x":1e0,"y":2,"width":3,"height":4,"unit":"pixel"}',
        '"crop": null',
      ),
      pick('"aspect": "16:9"', '"aspect":1.5'),
      pick('"focus": "attention"', '"focus": {"x": 0.5, "y": 0.5}'),
      pick('"priority": true', '"alt": "Twice"', '"preset": "wide"', '"widths": [1, 2]'),
      pick(
        '"sources": [{ "media": "print", "crop": { "x": 1, "y": 2, "width": 3, "height": 4 } }, {"media":"all"}]',
        '"sources":[]',
      ),
    ),
    pick('"id": 4711', '"id":4711', '"id" : "4711"', '"id": 47.11e2'),
    fc.nat(6),
    pick(', ', ',', ' ,\n    ', ',\n\t\t', '\n,'),
  )
  .map(([others, id, at, comma]) => others.toSpliced(at, 0, id).join(comma));
const jsonHero = fc.oneof(
  glue('{', pick('', ' ', '\n    ', '\n\t\t'), jsonEntries, pick('', ' ', '\n  ', '\n\t'), '}'),
  pick(
    '"media:4711"',
    '"media:4711?crop=1,2,3,4&priority"',
    '"\\u006dedia:4711"',
    '"media:4711?crop=0.1,0.2,0.3,0.4"',
  ),
);
export const json = inLines(
  fc.oneof(
    jsonHero,
    glue(
      '{ "n": 4711, "hero": ',
      jsonHero,
      pick('', ', "hero": 1', ', "x": [1, 2]', ',\n"y": "}"'),
      ' }\n',
    ),
    glue('[', jsonHero, ', ', jsonHero, ', 4711]'),
    glue('{"a":{"b":[[', jsonHero, ']],"__proto__":{"id":4711}},"a ": 1}'),
  ),
);

// Markdown

const mdText = oneOf('markdown texts');
const mdAlt = oneOf('markdown alts');
const mdAddress = oneOf('markdown addresses');
const mdImage = glue('![', mdAlt, '](', mdAddress, ')');
const mdInline = fc
  .array(fc.oneof(mdText, mdImage, pick(' ', ' ', '')), { maxLength: 5 })
  .map((all) => all.join(' '));
const mdBlock = fc.oneof(
  glue(mdInline, mdImage, mdInline),
  glue('# ', mdImage, mdInline),
  glue('> ', mdInline, '\n> ', mdImage),
  glue('- ', mdImage, '\n\n  ', mdImage, mdInline),
  glue('3. ', mdImage, '\n4. x'),
  glue('| a | b |\n|---|---|\n| ', mdImage, ' | ', mdText, ' ', mdImage, ' |'),
  glue('[', mdImage, '](https://a.example)'),
  glue('*', mdImage, '*'),
  glue('<p>\n\n', mdImage, '\n\n</p>'),
  glue('<p>', mdImage, '</p>'),
  glue('```\n', mdImage, '\n```'),
  glue('Text[^1]\n\n[^1]: ', mdImage),
  glue('[ref]: media:4711\n\n![Quay][ref] ', mdImage),
  glue('- [ ] ', mdImage),
);
export const markdown = inLines(
  fc.array(mdBlock, { minLength: 1, maxLength: 3 }).map((blocks) => `${blocks.join('\n\n')}\n`),
);

// Tags

const tagSpace = pick(' ', ' ', ' ', '  ', '\n  ', '\n\t');
const astroSpace = fc.oneof(tagSpace, pick(' /* c */ ', '\n  // c\n  ', '\n  /* id={1} */\n  '));
const jsCrop = oneOf('tag crops');
const jsAttribute = fc.oneof(
  { weight: 4, arbitrary: oneOf('tag attributes') },
  { weight: 1, arbitrary: glue('crop={', jsCrop, '}') },
);
const jsId = oneOf('tag ids');
const tagOf = (space: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.array(jsAttribute, { maxLength: 5 }),
      jsId,
      fc.nat(5),
      fc.array(space, { minLength: 7, maxLength: 7 }),
      pick(
        ' />',
        '/>',
        '\n/>',
        ' />',
        '></MediaAsset>',
        '>a {b} <MediaAsset id={4711} /></MediaAsset>',
        '  />',
      ),
    )
    .map(([attributes, id, at, spaces, end]) => {
      const all = attributes.toSpliced(at, 0, id);
      return `<MediaAsset${all.map((one, index) => `${spaces[index]}${one}`).join('')}${end}`;
    });
const astroTag = tagOf(astroSpace);
const astroBlock = fc.oneof(
  astroTag,
  glue('<p>', astroTag, '</p>'),
  glue('{show && ', astroTag, '}'),
  glue('{list.map((one) => <li>', astroTag, '{one}</li>)}'),
  glue('<!-- ', astroTag, ' -->'),
  glue(astroTag, astroTag),
  glue('<style>a { b: "<MediaAsset id={4711} />" }</style>', astroTag),
  glue('<Card cover={', astroTag, '} />'),
  glue('{/* c */}⛵', astroTag, ' text & more { "}" }'),
  glue('{`<b>`}', astroTag),
);
const imported = "import { MediaAsset } from 'astro-media-asset/components';\n";
export const astro = inLines(
  fc
    .tuple(
      fc.array(astroBlock, { minLength: 1, maxLength: 3 }),
      pick('', 'const a = "---";\n', '// ---\n', 'const b = <MediaAsset id={4711} />;\n'),
    )
    .map(([blocks, code]) => `---\n${imported}${code}---\n${blocks.join('\n')}\n`),
);
const mdxTag = tagOf(tagSpace);
export const mdx = inLines(
  fc
    .array(
      fc.oneof(
        mdxTag,
        glue('Text *a* ', mdxTag, ' and {1}.'),
        glue('<Card>\n  ', mdxTag, '\n</Card>'),
        glue('- ', mdxTag),
        glue('> ', mdxTag),
        glue('{show && ', mdxTag, '}'),
        mdImage,
        glue('# ', mdImage, ' {"}"}'),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((blocks) => `${imported}\n${blocks.join('\n\n')}\n`),
);

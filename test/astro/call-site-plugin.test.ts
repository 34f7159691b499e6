import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { callSitePlugin } from '../../src/astro/call-sites/call-site-plugin.ts';

const code = `import { MediaAsset } from 'astro-media-asset/components';
$$renderComponent($$result, 'MediaAsset', MediaAsset, {});`;

const source = '---\n---\n  <MediaAsset />';

/** Says only that the call comes from the third line of the source, its third column. */
const sourceMap = { version: 3, sources: [''], sourcesContent: [source], mappings: ';AAEE' };

/** What the plugin makes of a module. `parse` and `map` stand for the bundler's own. */
function transform({
  text = code,
  id = '/site/src/layouts/Base.astro',
  root = '/site',
  parse = parseAst,
  map = sourceMap,
}: {
  text?: string;
  id?: string;
  root?: string;
  parse?: (code: string) => object;
  map?: object;
}) {
  const plugin = callSitePlugin();
  plugin.configResolved({ root });
  return plugin.transform.call({ parse, getCombinedSourcemap: () => map }, text, id)?.code;
}

function unreachable(): never {
  throw new Error('This is not called.');
}

describe('the call site of a component', () => {
  test.each([
    ['/site', '/site/src/layouts/Base.astro', 'src/layouts/Base.astro'],
    ['C:/site', 'C:/site/src/layouts/Base.astro', 'src/layouts/Base.astro'],
    ['C:/site', 'C:/shared/Base.astro', 'C:/shared/Base.astro'],
  ])('in the project %s, the file %s is %s', (root, id, file) => {
    expect(transform({ root, id })).toBe(
      code.replace(
        '{}',
        `{[Symbol.for('astro-media-asset.call-site')]: {"file":"${file}","line":3,"column":3}, }`,
      ),
    );
  });

  test('costs no parsing of a file that does not import the components', () => {
    const text = code.replace('astro-media-asset/', '');
    expect(transform({ text, parse: unreachable })).toBeUndefined();
    expect(transform({ id: '/site/src/feed.ts', parse: unreachable })).toBeUndefined();
  });

  test.each<[string, Parameters<typeof transform>[0]]>([
    ['the code cannot be parsed', { parse: unreachable }],
    ['there is no source map', { map: {} }],
    ['the source map has no source', { map: { ...sourceMap, sourcesContent: undefined } }],
    ['the source map leads elsewhere', { map: { ...sourceMap, mappings: ';AAAA' } }],
    ['the source map has no place for the call', { map: { ...sourceMap, mappings: 'AAEE' } }],
    [
      'the component is not ours',
      { text: code.replace("'MediaAsset', MediaAsset", "'Other', Other") },
    ],
  ])('is left out if %s', (_, given) => {
    expect(transform(given) ?? given.text ?? code).toBe(given.text ?? code);
  });
});

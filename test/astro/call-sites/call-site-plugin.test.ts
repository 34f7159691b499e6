import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { callSitePlugin } from '../../../src/astro/call-sites/call-site-plugin.ts';

const code = `import { MediaAsset } from 'astro-media-asset/components';
$$renderComponent($$result, 'MediaAsset', MediaAsset, {});`;

const source = '---\n---\n  <MediaAsset />';

/** A source map that only maps the call to the third line and column of the source. */
const sourceMap = { version: 3, sources: [''], sourcesContent: [source], mappings: ';AAEE' };

/** Returns the plugin's output for a module. `parse` and `map` replace the bundler's own. */
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
  return plugin.transform.handler.call({ parse, getCombinedSourcemap: () => map }, text, id)?.code;
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

  test("parses no file that doesn't import the components", () => {
    const text = code.replace('astro-media-asset/', '');
    expect(transform({ text, parse: unreachable })).toBeUndefined();
    expect(transform({ id: '/site/src/feed.ts', parse: unreachable })).toBeUndefined();
  });

  test.each<[string, Parameters<typeof transform>[0]]>([
    ["the code can't be parsed", { parse: unreachable }],
    ['there is no source map', { map: {} }],
    ['the source map has no source', { map: { ...sourceMap, sourcesContent: undefined } }],
    ['the source map points to another place', { map: { ...sourceMap, mappings: ';AAAA' } }],
    ["the source map doesn't cover the call", { map: { ...sourceMap, mappings: 'AAEE' } }],
    [
      "the component isn't ours",
      { text: code.replace("'MediaAsset', MediaAsset", "'Other', Other") },
    ],
  ])('is left out if %s', (_, given) => {
    expect(transform(given) ?? given.text ?? code).toBe(given.text ?? code);
  });
});

import { describe, expect, test } from 'vitest';
import { changeConfig, noRights } from '../../../src/cli/init/config-file.ts';

const options = { crops: "'local'" };
const change = (code: string, site?: string) => changeConfig(code, { site, options });

test.each([
  [
    'a new config',
    `// @ts-check
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({});
`,
    `// @ts-check
import { defineConfig } from 'astro/config';

import mediaAsset from 'astro-media-asset';

// https://astro.build/config
export default defineConfig({
  integrations: [mediaAsset({
    crops: 'local',
  })]
});`,
  ],
  [
    'one with integrations and comments',
    `import mdx from '@astrojs/mdx';
export default {
  // Keep this.
  integrations: [mdx()], // and this
};
`,
    `import mdx from '@astrojs/mdx';
import mediaAsset from 'astro-media-asset';
export default {
  // Keep this.
  integrations: [mdx(), mediaAsset({
    crops: 'local',
  })], // and this
};`,
  ],
  [
    'one that `astro add` has changed',
    `import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';

export default defineConfig({
  integrations: [mediaAsset()],
});
`,
    `import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';

export default defineConfig({
  integrations: [mediaAsset({
    crops: 'local',
  })],
});`,
  ],
])('adds the integration and its options to %s', (_, before, after) => {
  expect(change(before)?.trimEnd()).toBe(after);
});

test("keeps the site's own options and its name of the integration", () => {
  const own = `import dam from 'astro-media-asset';
export default { site: 'https://a.example', integrations: [dam({ crops: 'service' })] };
`;
  expect(change(own, 'https://b.example')).toBe(own);
});

test('adds the site alone to a config that has the integration', () => {
  const own = "import dam from 'astro-media-asset';\nexport default { integrations: [dam()] };\n";
  const changed = changeConfig(own, { site: 'https://a.example', options: {} });
  expect(changed).toContain("integrations: [dam()],\n  site: 'https://a.example'");
});

test('adds the site that a config lacks', () => {
  expect(change('export default {};', 'https://a.example')).toContain('site: "https://a.example"');
});

test.each([
  ['a function', 'export default defineConfig(({ mode }) => ({ integrations: [] }));'],
  ['a spread', 'export default { ...shared };'],
  ['a name', 'const config = {};\nexport default defineConfig(config);'],
  ['a list from elsewhere', "import { all } from './all';\nexport default { integrations: all };"],
  [
    'a condition',
    "import dam from 'astro-media-asset';\nexport default { integrations: [on && dam()] };",
  ],
  ['a broken one', 'export default {'],
  ['CommonJS', 'module.exports = {};'],
])('leaves %s to a person', (_, code) => {
  expect(change(code)).toBeUndefined();
});

describe('a rule about rights', () => {
  const rule = "{ fields: ['consent'], read: ({ consent }) => ({ state: consent }) }";
  const withRights = (rights: string) =>
    `import dam from 'astro-media-asset';\nexport default { integrations: [dam({ rights: ${rights} })] };\n`;
  const change = (code: string, rights: string) =>
    changeConfig(code, { site: undefined, options: { rights } });

  test('replaces the empty one of an earlier run, with its comment', () => {
    for (const empty of [noRights, '{}']) {
      const changed = change(withRights(empty), rule);
      expect(changed).toContain("fields: ['consent']");
      expect(changed).not.toContain('No field');
      expect(change(changed ?? '', rule)).toBe(changed);
    }
  });

  test.each([
    ['an empty one', noRights, noRights],
    ["a person's own", "{ unknown: 'warn' }", rule],
    ["a person's variable", 'ownRights', rule],
  ])('leaves %s as it is', (_, present, wanted) => {
    expect(change(withRights(present), wanted)).toBe(withRights(present));
  });
});

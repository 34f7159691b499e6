import { describe, expect, test } from 'vitest';
import { changeConfig, noRights } from '../../../src/cli/init/config-file.ts';

const options = { crops: "'local'" };
const change = (code: string, site?: string) => changeConfig(code, { site, options });

const images = `images: {
      // AVIF takes about 40 % fewer bytes than WebP, and seven times as long to make, once for each image.
      formats: ['avif', 'webp'],
    },
    crops: 'local',`;

test.each([
  [
    'a new config',
    `// @ts-check
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({});
`,
    `// @ts-check
import mediaAsset from 'astro-media-asset';
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({
  integrations: [mediaAsset({
    ${images}
  })],
});
`,
  ],
  [
    'one with integrations and comments',
    `import mdx from '@astrojs/mdx';
export default {
  // Keep this.
  integrations: [mdx()], // and this
};
`,
    `import mediaAsset from 'astro-media-asset';
import mdx from '@astrojs/mdx';
export default {
  // Keep this.
  integrations: [mediaAsset({
    ${images}
  }), mdx()], // and this
};
`,
  ],
  [
    'a list with a line for each, and comments',
    `import mdx from "@astrojs/mdx"
export default {
  integrations: [
    mdx(), // content
    icon() // icons
    // nothing else
  ]
}`,
    `import mediaAsset from "astro-media-asset"
import mdx from "@astrojs/mdx"
export default {
  integrations: [
    mediaAsset({
      ${images.replaceAll('\n', '\n  ').replaceAll("'", '"')}
    }),
    mdx(), // content
    icon() // icons
    // nothing else
  ]
}`,
  ],
  [
    'one with tabs and Windows line ends',
    "import a from 'a';\r\nexport default {\r\n\tsite: 'x',\r\n\tintegrations: [a(), ],\r\n} satisfies Config;\r\n",
    `import mediaAsset from 'astro-media-asset';
import a from 'a';
export default {
\tsite: 'x',
\tintegrations: [mediaAsset({
${images.replace(/^(?=images)/, '    ').replace(/^(?: {2})+/gm, (all) => '\t'.repeat(all.length / 2))}
\t}), a(), ],
} satisfies Config;
`.replaceAll('\n', '\r\n'),
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
    ${images}
  })],
});
`,
  ],
  [
    'one that sets other options',
    `import { default as dam } from 'astro-media-asset';
export default { integrations: [dam({ delivery: 'static' })] };
`,
    `import { default as dam } from 'astro-media-asset';
export default { integrations: [dam({ crops: 'local', delivery: 'static' })] };
`,
  ],
  [
    'one without imports',
    '// @ts-check\nexport default { site: "https://a.example" }\n',
    `// @ts-check
import mediaAsset from 'astro-media-asset';
export default { integrations: [mediaAsset({
    ${images}
  })], site: "https://a.example" }
`.replace(/^ {2}/gm, ''),
  ],
])(
  'adds the integration and its options to %s, and changes nothing else',
  async (_, before, after) => {
    expect(await change(before)).toBe(after);
  },
);

test("keeps the site's own options and its name of the integration", async () => {
  const own = `import dam from 'astro-media-asset';
export default { site: 'https://a.example', integrations: [dam({ crops: 'service' })] };
`;
  expect(await change(own, 'https://b.example')).toBe(own);
});

test('adds the site alone to a config that has the integration', async () => {
  const own = "import dam from 'astro-media-asset';\nexport default { integrations: [dam({})] };\n";
  const changed = await changeConfig(own, { site: 'https://a.example', options: {} });
  expect(changed).toBe(
    "import dam from 'astro-media-asset';\nexport default { site: 'https://a.example', integrations: [dam({})] };\n",
  );
});

test('adds the site that a config lacks', async () => {
  expect(await change('export default {};', 'https://a.example')).toContain(
    "  site: 'https://a.example',\n",
  );
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
  [
    'options from elsewhere',
    "import dam from 'astro-media-asset';\nexport default { integrations: [dam(shared)] };",
  ],
  [
    'spread options',
    "import dam from 'astro-media-asset';\nexport default { integrations: [dam({ ...shared })] };",
  ],
])('leaves %s to a person', async (_, code) => {
  expect(await change(code)).toBeUndefined();
});

describe('a rule about rights', () => {
  const rule = "{ fields: ['consent'], read: ({ consent }) => ({ state: consent }) }";
  const withRights = (rights: string) =>
    `import dam from 'astro-media-asset';\nexport default { integrations: [dam({ rights: ${rights} })] };\n`;
  const change = (code: string, rights: string) =>
    changeConfig(code, { site: undefined, options: { rights } });

  test('replaces the empty one of an earlier run, with its comment', async () => {
    for (const empty of [noRights, '{}']) {
      const changed = await change(withRights(empty), rule);
      expect(changed).toContain("fields: ['consent']");
      expect(changed).not.toContain('No field');
      expect(await change(changed ?? '', rule)).toBe(changed);
    }
  });

  test.each([
    ['an empty one', noRights, noRights],
    ["a person's own", "{ unknown: 'warn' }", rule],
    ["a person's variable", 'ownRights', rule],
  ])('leaves %s as it is', async (_, present, wanted) => {
    expect(await change(withRights(present), wanted)).toBe(withRights(present));
  });
});

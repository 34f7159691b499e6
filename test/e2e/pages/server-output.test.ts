/** @module-tag slow */
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { astroMajor } from '../../support/site/astro-major.ts';
import { startDevServer } from '../../support/site/dev-server.ts';
import { run } from '../../support/site/site.ts';
import { outputOf, usagePosts, useSite } from '../../support/site/site-with-service.ts';

/** A minimal adapter. Before Astro 6, an adapter has to list its exports. */
const entrypoint = astroMajor < 6 ? "exports: ['app']" : "entrypointResolution: 'auto'";
const server =
  astroMajor < 6
    ? "import { App } from 'astro/app';\nexport const createExports = (manifest) => ({ app: new App(manifest) });\n"
    : "import { createApp } from 'astro/app/entrypoint';\nexport const app = createApp();\n";
const adapter = `{
  name: 'adapter',
  hooks: {
    'astro:config:done': ({ setAdapter }) =>
      setAdapter({
        name: 'adapter',
        ${entrypoint},
        serverEntrypoint: new URL('./server.js', import.meta.url),
        supportedAstroFeatures: { serverOutput: 'stable', staticOutput: 'stable', hybridOutput: 'stable' },
      }),
  },
}`;

const config = (output: string) => `
import mediaAsset from 'astro-media-asset';
export default {
  site: 'https://harbour.example',
  output: '${output}',
  adapter: ${adapter},
  integrations: [mediaAsset()],
};
`;

const setup = useSite('main-job');

beforeAll(async () => {
  await setup.site.write('server.js', server);
  await setup.site.write('astro.config.mjs', config('static'));
});

/** Needs an adapter, but nothing that differs between majors. */
const onAnyAstro = { tags: ['any-astro'] };

describe('a site with a server', () => {
  test('reports its prerendered pages', async () => {
    const output = await outputOf(setup.build());
    expect(output).toContain('5 reported, 0 removed');
    expect(setup.pairs()).toHaveLength(5);
    expect(JSON.parse(await setup.site.read('.media-asset/build.json'))).toMatchObject({
      finished: true,
      output: 'dist/client',
    });
  });

  test('passes all checks of doctor', onAnyAstro, async () => {
    const { stdout } = await setup.command('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { subject: string; state: string }[] };
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(checks.map(({ subject }) => subject)).toContain('crops');
  });

  test('names on-demand routes and pages with server islands as not scanned', async () => {
    await setup.site.write(
      'src/components/Tide.astro',
      '<img src={Astro.props.picture.src} alt="" /><slot />\n',
    );
    await setup.site.write(
      'src/pages/tide.astro',
      `---
import { getMediaAsset, MediaAsset } from 'astro-media-asset/components';
import Tide from '../components/Tide.astro';
const picture = await getMediaAsset({ id: 4714, alt: 'Low tide', width: 50 });
---
<title>Tide</title>
<Tide server:defer picture={picture}><MediaAsset id={4714} alt="High tide" width={40} /></Tide>
`,
    );
    await setup.site.write(
      'src/pages/now.astro',
      "---\nimport { Content } from '../rope.md';\nexport const prerender = false;\n---\n<title>Now</title><Content />\n",
    );
    await setup.site.write('src/rope.md', '![The quay](media:4712?width=60&densities=1)\n');
    const output = await outputOf(setup.build());
    expect(output).toContain('1 on-demand route: /now');
    expect(output).toContain('server islands on 1 page: /tide/');
    expect(output).toContain(
      "No prerendered page shows the assets of src/rope.md:1, so their files aren't published. They are missing if an on-demand route (/now) or a server island (on /tide/) shows this Markdown.",
    );
    // Astro 5 and 6 keep no code that names it.
    expect(output).toMatch(
      /1 asset is published, but no scanned page shows it: 4714 in (?:getMediaAsset\(\)|\/tide\/)\./,
    );
  });

  test('publishes the images that a prerendered page passes to a server island', async () => {
    const folder = setup.site.path('dist/client/_astro/media-asset');
    const files = (await readdir(folder, { recursive: true })).join('\n');
    expect(files).toContain('low-tide.webp');
    expect(files).toContain('high-tide.webp');
    expect(setup.pairs().filter((pair) => pair.endsWith('/tide/'))).toEqual([]);
  });

  test('fails a component of an on-demand page with one clear error, like in dev', async () => {
    await setup.site.write(
      'src/components/Shelf.astro',
      "---\nimport { MediaAsset } from 'astro-media-asset/components';\n---\n<MediaAsset id={4714} alt='' />\n",
    );
    await setup.site.write(
      'src/pages/live.astro',
      "---\nimport Shelf from '../components/Shelf.astro';\nexport const prerender = false;\n---\n<title>Live</title><Shelf />\n",
    );
    expect(await setup.build()).toMatchObject({ exitCode: 0 });
    const deployed = await ask('/live');
    const dev = await startDevServer(setup);
    const live = await (await fetch(`${dev.url}/live`)).text();
    const prerendered = await fetch(`${dev.url}/tide`);
    await dev.stop();
    for (const output of [deployed, dev.output()]) {
      expect(output).toContain(
        '/live (src/components/Shelf.astro:4:1): <MediaAsset id={4714}> is rendered on demand. It only works on prerendered pages.',
      );
      expect(output).toContain('Add `export const prerender = true` to the page.');
    }
    expect(live).not.toContain('<img');
    expect(prerendered.status).toBe(200);
    await setup.site.remove('src/pages/live.astro');
  });

  test('builds with only on-demand pages, and sends and removes nothing', onAnyAstro, async () => {
    const listed = setup.pairs();
    setup.requests();
    await setup.site.write('astro.config.mjs', config('server'));
    await setup.site.remove('src/pages/notes');
    const output = await outputOf(setup.build());
    expect(output).toContain('scan-empty');
    expect(output).toContain('this site renders on demand');
    expect(output).toContain('pages       0 scanned');
    expect(output).toContain('nothing was sent');
    expect(output).toContain('/quay');
    expect(usagePosts(setup.requests())).toEqual([]);
    expect(setup.pairs()).toEqual(listed);
  });

  test('fails if content asks for an unknown asset, even without rendering a page', async () => {
    await setup.site.write(
      'src/content.config.ts',
      `import { defineCollection } from 'astro:content';
import { getMediaAsset } from 'astro-media-asset/components';

async function loader() {
  const { available } = await getMediaAsset({ id: 999999, alt: '' });
  return [{ id: 'quay', available }];
}

export const collections = { ships: defineCollection({ loader }) };
`,
    );
    const output = await outputOf(setup.build(), 1);
    await setup.site.remove('src/content.config.ts');
    expect(output).toContain("The service doesn't know asset 999999");
  });

  test(
    "fails if it can't check the last build's assets, even without rendering a page",
    onAnyAstro,
    async () => {
      const output = await outputOf(setup.build({ MEDIA_ASSET_PASSWORD: 'wrong' }), 1);
      expect(output).toContain('credentials-refused');
    },
  );
});

/** Returns the built server's log and answer for a request of a page. */
async function ask(path: string): Promise<string> {
  const { site } = setup;
  await site.write(
    'ask.js',
    `import { app } from './dist/server/entry.mjs';
const response = await app.render(new Request('https://harbour.example${path}'));
console.log(response.status, await response.text());
`,
  );
  const { output } = await run(site.dir, site.path('ask.js'), [], {});
  return output;
}

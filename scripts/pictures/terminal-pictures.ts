import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site } from '../../test/support/site/site.ts';
import { commandImage, printCommand } from './print-command.ts';
import type { Stage } from './stage.ts';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const stories = 'src/content/stories';

/**
 * The pictures of commands, by their file in `docs/`. Their texts are their facts.
 *
 * @param stage has no dev server any more, because the source changes
 */
export async function drawTerminals(stage: Stage): Promise<Readonly<Record<string, string>>> {
  const { site, emulator } = stage;
  const print = async (name: 'audit' | 'plan' | 'init', words: readonly string[], dir: string) => {
    const printed = await printCommand(program, words, { name, dir, variables: emulator.env });
    return commandImage(name, printed.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4710'));
  };
  await stage.restore();
  await makeMistakes(site);
  await stage.build('never');
  const audit = await print('audit', ['audit', 'dist'], site.dir);

  await stage.restore();
  await workForADay(site);
  await stage.build('deploy');
  const plan = await print('plan', ['plan', 'dist'], site.dir);

  const fresh = await mkdtemp(join(tmpdir(), 'my-site-'));
  await writeFile(join(fresh, 'astro.config.mjs'), newConfig);
  const init = await print('init', ['init', '--yes'], fresh);
  await rm(fresh, { recursive: true });
  return { 'audit.svg': audit, 'plan.svg': plan, 'init.svg': init };
}

const newConfig = `import { defineConfig } from 'astro/config';

export default defineConfig({ site: 'https://museum.example' });
`;

/** Texts that don't help. Only stories and the collection keep their credits. */
async function makeMistakes(site: Site): Promise<void> {
  await site.remove('src/pages/credits.astro');
  await site.edit(`${stories}/two-faces.md`, /alt: Portrait of a pilot.*/, 'alt: DSC_0381.jpg');
  await site.edit(
    `${stories}/the-light-on-skarv.md`,
    /alt: The upper.*/,
    'alt: Photo of the light',
  );
  await site.edit(`${stories}/half-past-five.md`, /alt: .*/g, 'alt: At the harbour');
  const collection = 'src/pages/collection/index.astro';
  await site.edit(collection, '{note}', '{note} <MediaCredit id={id} />');
  await site.edit(collection, '{ MediaAsset }', '{ MediaAsset, MediaCredit }');
}

/** One story less and one more, another title, another image, and a crop, which changes nothing. */
async function workForADay(site: Site): Promise<void> {
  const light = await site.read(`${stories}/the-light-on-skarv.md`);
  await site.write(
    `${stories}/the-gulls.md`,
    light
      .replace('The light on Skarv', 'The gulls of the fish market')
      .replace('asset: 4713', 'asset: 4729')
      .replace('asset: 4720', 'asset: 4719')
      .replaceAll(/crop: .*/g, 'crop: { x: 100, y: 100, width: 900, height: 600 }'),
  );
  await site.edit(`${stories}/the-light-on-skarv.md`, 'The light on Skarv', 'The lens of Skarv');
  await site.edit(`${stories}/knots-worth-keeping.md`, /x: \d+/, 'x: 301');
  await site.edit('src/pages/visit.astro', 'id={assets.building}', 'id={assets.hall}');
  await site.remove(`${stories}/two-faces.md`);
}

/**
 * Draws `docs/plan.svg`: the output of `media-asset plan` on the playground after an editor's day.
 * `npm run docs:pictures`. Its input is kept in `fixtures/plan`, so that a test can check the image
 * without building the playground.
 */
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../playground/scripts/processes/free-port.ts';
import { openPlaygroundSite } from '../test/support/site/playground-site.ts';
import type { Run, Site } from '../test/support/site/site.ts';
import { commandImage, printCommand } from './print-command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const kept = join(root, 'fixtures/plan');

const { site, emulator, close } = await openPlaygroundSite(await findFreePort(4710));
try {
  must(await site.build({ ...emulator.env, MEDIA_ASSET_REPORT: 'always' }));
  await edit(site);
  must(await site.build({ ...emulator.env, MEDIA_ASSET_REPORT: 'deploy' }));
  const output = await printCommand(join(root, 'dist/cli/main.js'), 'plan', {
    dir: site.dir,
    variables: emulator.env,
  });
  await writeFile(join(root, 'docs/plan.svg'), commandImage('plan', output));
  const scan = await site.command(emulator.env, 'scan', 'dist', '--json');
  must(scan);
  await rm(kept, { recursive: true, force: true });
  await cp(site.path('.media-asset'), kept, { recursive: true });
  await writeFile(join(kept, 'pages.json'), scan.stdout);
  process.stdout.write(output);
} finally {
  await close();
}

/** One story less and one more, another title, another image, and a crop, which changes nothing. */
async function edit(site: Site): Promise<void> {
  const stories = 'src/content/stories';
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

function must({ exitCode, output }: Run): void {
  if (exitCode !== 0) throw new Error(output);
}

/**
 * Draws `docs/audit.svg`: the output of `media-asset audit` on the playground after some mistakes.
 * `npm run docs:pictures`.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPlaygroundSite } from '../test/support/site/playground-site.ts';
import type { Site } from '../test/support/site/site.ts';
import { commandImage, printCommand } from './print-command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const { site, emulator, close } = await openPlaygroundSite();
try {
  await edit(site);
  const { exitCode, output } = await site.build(emulator.env);
  if (exitCode !== 0) throw new Error(output);
  const printed = await printCommand(join(root, 'dist/cli/main.js'), 'audit', {
    dir: site.dir,
    variables: emulator.env,
  });
  await writeFile(join(root, 'docs/audit.svg'), commandImage('audit', printed));
  process.stdout.write(printed);
} finally {
  await close();
}

/** Texts that don't help. Only stories and the collection keep their credits. */
async function edit(site: Site): Promise<void> {
  const stories = 'src/content/stories';
  await site.remove('src/pages/credits.astro');
  await site.edit(`${stories}/two-faces.md`, /alt: Portrait of a pilot.*/, 'alt: DSC_0381.jpg');
  await site.edit(
    `${stories}/the-light-on-skarv.md`,
    /alt: The upper.*/,
    'alt: Photo of the light',
  );
  await site.edit(`${stories}/half-past-five.md`, /alt: .*/g, 'alt: At the harbour');
  await site.edit('src/pages/collection/index.astro', '{note}', '{note} <MediaCredit id={id} />');
  await site.edit(
    'src/pages/collection/index.astro',
    '{ MediaAsset }',
    '{ MediaAsset, MediaCredit }',
  );
}

/**
 * Draws `docs/plan.svg`: what `media-asset plan` prints on the playground after an editor's day.
 * `npm run docs:pictures`.
 */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import { drawPictures, mediaFolder } from '../playground/scripts/draw-pictures.ts';
import { findFreePort } from '../playground/scripts/processes/free-port.ts';
import { type Run, type Site, siteIn, type Variables } from '../test/support/site.ts';
import { startEmulatorProcess } from '../test/support/start-emulator.ts';
import { terminalPicture } from './terminal-picture.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const columns = 92;

const folder = await mkdtemp(join(tmpdir(), 'plan-'));
await drawPictures(mediaFolder);
const emulator = await startEmulatorProcess({
  media: mediaFolder,
  data: join(folder, 'data'),
  port: await findFreePort(4710),
});
try {
  const site = await copyPlayground(join(folder, 'site'));
  must(await site.build({ ...emulator.env, MEDIA_ASSET_REPORT: 'always' }));
  await edit(site);
  must(await site.build({ ...emulator.env, MEDIA_ASSET_REPORT: 'deploy' }));
  const output = await plan(site.dir, emulator.env);
  const picture = terminalPicture({ command: 'npx media-asset plan dist', output, columns });
  await writeFile(join(root, 'docs/plan.svg'), picture);
  process.stdout.write(output);
} finally {
  await emulator.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function copyPlayground(dir: string): Promise<Site> {
  for (const name of ['src', 'public', 'astro.config.ts', 'tsconfig.json']) {
    await cp(join(root, 'playground', name), join(dir, name), { recursive: true });
  }
  await writeFile(join(dir, 'package.json'), '{ "private": true, "type": "module" }\n');
  await mkdir(join(dir, 'node_modules'), { recursive: true });
  await symlink(root, join(dir, 'node_modules/astro-media-asset'), 'junction');
  await symlink(join(root, 'node_modules/astro'), join(dir, 'node_modules/astro'), 'junction');
  return siteIn(dir);
}

/** A story less and a story more, another title, another picture; and a crop, which changes nothing. */
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

/** What a person sees. */
function plan(dir: string, variables: Variables): Promise<string> {
  const program = join(root, 'dist/cli/main.js');
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', ...variables };
  const terminal = spawn(process.execPath, [program, 'plan', 'dist'], {
    cwd: dir,
    cols: columns,
    rows: 50,
    env,
  });
  let output = '';
  terminal.onData((text) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    terminal.onExit(({ exitCode }) =>
      exitCode === 0 ? resolve(lastOf(output)) : reject(new Error(output)),
    );
  });
}

/** Without the progress line that was drawn and taken away. */
function lastOf(output: string): string {
  return output.slice(output.lastIndexOf('\u001b[K') + 1).replace(/^\[K/, '');
}

function must({ exitCode, output }: Run): void {
  if (exitCode !== 0) throw new Error(output);
}

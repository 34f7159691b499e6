import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { drawPictures, mediaFolder } from '../draw-pictures.ts';
import { type Child, startNode } from './child.ts';
import { findFreePort } from './free-port.ts';

/** The data folder of the playground's emulator: its database outlives the runs. */
export const dataFolder = fileURLToPath(new URL('../../.emulator', import.meta.url));

/** The emulator's own defaults; they open nothing else. */
export const signInFields = {
  client_id: 'emulator',
  client_secret: 'emulator-secret',
  username: 'editor',
  password: 'harbour',
} as const;

const program = fileURLToPath(new URL('../../../dist/emulator/main.js', import.meta.url));
const usualPort = 4710;

/** The playground's service, in a process of its own. */
export interface PlaygroundEmulator extends Child {
  readonly url: string;
}

/** Draws what is missing, then starts the service over it; says on standard output what it does. */
export async function startPlaygroundEmulator(): Promise<PlaygroundEmulator> {
  if (!existsSync(program)) throw new Error('The package is not built yet. Run: npm run build');
  await drawMissing();
  const port = await findFreePort(usualPort);
  if (port !== usualPort) console.log(`Port ${usualPort} is taken; the service takes ${port}.`);
  const child = startNode(
    program,
    ['--port', String(port), '--media', mediaFolder, '--data', dataFolder],
    // The channel ends the emulator should this process be killed outright.
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const url = await firstAddress(child);
  console.log(`Service    ${url}`);
  return { ...child, url };
}

async function drawMissing(): Promise<void> {
  const drawn = await drawPictures(mediaFolder, (path) => console.log(`Drawing    ${path}`));
  if (drawn.length > 0) console.log(`Drawn      ${drawn.length} pictures, in ${mediaFolder}`);
}

async function firstAddress({ process: child, ended }: Child): Promise<string> {
  if (!child.stdout) throw new Error('The service was started without standard output.');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    ended.then((code) => {
      throw new Error(`The service ended before it listened (exit code ${code}).`);
    }),
  ]);
  child.stdout.resume();
  const url = /https?:\/\/\S+/.exec(line)?.[0];
  if (!url) throw new Error(`The service said no address: ${line}`);
  return url;
}

import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Child, startNode } from './child.ts';
import { findFreePort } from './free-port.ts';
import type { Kept } from './run-script.ts';

/** The museum's images and files. The folders are those of the service. */
export const mediaFolder = fileURLToPath(new URL('../../media', import.meta.url));

/** The folder of the emulators' databases, which outlive the runs. */
const emulatorFolder = fileURLToPath(new URL('../../.emulator', import.meta.url));

/** Names the running emulator that an earlier script has started. */
const runningFile = join(emulatorFolder, 'running.json');

/** The emulator's own defaults. They open nothing else. */
export const signInFields = {
  client_id: 'emulator',
  client_secret: 'emulator-secret',
  username: 'editor',
  password: 'harbour',
} as const;

const program = fileURLToPath(new URL('run-emulator.ts', import.meta.url));
/** The pages' crop editor is compiled. */
const built = new URL('../../../dist/authoring/crop-editor', import.meta.url);
const usualPort = 4710;

/** Those of the museum's records. The files next to the images have their values. */
const fields = 'alttext,alttext_nb,photographer,consent,licensed_until';

/** The playground's service, in its own process. */
export interface PlaygroundEmulator extends Kept {
  readonly url: string;
  /** The folder of its database. */
  readonly dataFolder: string;
}

/**
 * Starts the service, or uses the one of another playground script, and prints its URL. Each port
 * has its own database, because another URL is another service with another ledger.
 */
export async function startPlaygroundEmulator(): Promise<PlaygroundEmulator> {
  if (!existsSync(built)) throw new Error('The package is not built yet. Run: npm run build');
  const running = await findRunning();
  if (running) {
    console.log(`Service    ${running.url} (running already)`);
    return { ...running, ended: new Promise(() => {}), stop: async () => {} };
  }
  const port = await findFreePort(usualPort);
  if (port !== usualPort) console.log(`Port ${usualPort} is taken; the service takes ${port}.`);
  const dataFolder = join(emulatorFolder, String(port));
  const child = startNode(
    program,
    ['--port', String(port), '--media', mediaFolder, '--data', dataFolder, '--fields', fields],
    // The channel ends the emulator if this process is killed.
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const url = await firstAddress(child);
  console.log(`Service    ${url}`);
  writeFileSync(runningFile, JSON.stringify({ url, dataFolder, pid: child.process.pid }));
  const stop = async () => {
    rmSync(runningFile, { force: true });
    await child.stop();
  };
  return { ended: child.ended, stop, url, dataFolder };
}

async function findRunning(): Promise<{ url: string; dataFolder: string } | undefined> {
  try {
    const { url, dataFolder, pid } = JSON.parse(readFileSync(runningFile, 'utf8'));
    process.kill(pid, 0);
    const page = await (await fetch(url)).text();
    return page.includes('Media Asset Service') ? { url, dataFolder } : undefined;
  } catch {
    // No such file, or its process has ended, so no emulator is running.
    return undefined;
  }
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

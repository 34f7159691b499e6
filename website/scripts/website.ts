import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Emulator, startEmulator } from 'astro-media-asset/emulator';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The folder of the built website. */
export const dist = fromHere('../dist');

/** The website, with a media service of its own. */
export interface Website {
  readonly emulator: Emulator;
  /** Runs a command of Astro's, and shows its output. */
  astro(command: string, variables?: Readonly<Record<string, string>>): Promise<Run>;
}

export interface Run {
  readonly exitCode: number;
  readonly output: string;
}

/** Calls a function with the website and a service with the playground's library, whose IDs begin at 4711. */
export async function withEmulator<T>(use: (website: Website) => Promise<T>): Promise<T> {
  const emulator = await startEmulator({ media: fromHere('../../playground/media') });
  try {
    return await use({
      emulator,
      async astro(command, variables) {
        const program = fromHere('../../node_modules/astro/bin/astro.mjs');
        const reporting = { MEDIA_ASSET_REPORT: 'always', ASTRO_TELEMETRY_DISABLED: '1' };
        const child = spawn(process.execPath, [program, command], {
          cwd: fromHere('..'),
          stdio: ['inherit', 'pipe', 'pipe'],
          env: { ...process.env, ...emulator.environment, ...reporting, ...variables },
        });
        let output = '';
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            output += text;
            process.stderr.write(text);
          });
        }
        const [code] = await once(child, 'close');
        return { exitCode: code ?? 1, output };
      },
    });
  } finally {
    await emulator.close();
  }
}

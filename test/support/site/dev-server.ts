import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { compileCache } from '../process/compile-cache.ts';
import type { SiteWithService } from './site-with-service.ts';

/** A running `astro dev`. */
export type DevServer = Awaited<ReturnType<typeof startDevServer>>;

/** Starts `astro dev` on a site with its emulator's credentials, and waits until it listens. */
export async function startDevServer({
  site,
  emulator,
}: Pick<SiteWithService, 'site'> & {
  emulator: Pick<SiteWithService['emulator'], 'env'>;
}) {
  const child = spawn(process.execPath, [site.astro, 'dev', '--port', '0', '--host', '127.0.0.1'], {
    cwd: site.dir,
    // Without the test runner's variables, because Astro's dev server reacts to VITEST.
    env: {
      PATH: process.env.PATH,
      ...compileCache,
      ASTRO_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      ...emulator.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('exit', () => reject(new Error(`The dev server has ended:\n${output}`)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url) resolve(url);
  });
  return {
    url: await promise,
    /** All output so far. */
    output: () => output,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../process/free-port.ts';
import { cmsFile } from './cms-packages.ts';
import type { Site } from './site.ts';

export type DecapServer = Awaited<ReturnType<typeof startDecapServer>>;

/** Starts Decap's own server, which reads and writes the files of a site. */
export async function startDecapServer(site: Site) {
  const port = String(await freePort());
  const child = spawn(process.execPath, [cmsFile('decap-server/dist/index.js')], {
    cwd: site.dir,
    env: { PATH: process.env.PATH, PORT: port, BIND_HOST: '127.0.0.1' },
    stdio: 'ignore',
  });
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

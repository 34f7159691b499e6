import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../process/free-port.ts';
import { type HandlerServer, handlerSecret } from '../service/serve-handler.ts';
import type { SiteWithService } from './site-with-service.ts';

/** A handler as an endpoint of Astro, which reads its address when it starts. */
const endpoint = `
import { createLibraryHandler } from 'astro-media-asset/handler';

const { MEDIA_URL: url, MEDIA_ASSET_BASE_URL: baseUrl } = process.env;
const handler = createLibraryHandler({
  ...{ url, cookieSecret: '${handlerSecret}' },
  service: { baseUrl, clientId: 'emulator', clientSecret: 'emulator-secret' },
  record: { fields: ['alt'], read: ({ alt }) => ({ alt }) },
});

export const prerender = false;
export const ALL = ({ request }) => handler(request);
`;

/** Builds a site that has an adapter, with a handler, and runs its server. */
export async function startAstroServer(
  { site, emulator }: Pick<SiteWithService, 'site' | 'emulator'>,
  build: () => Promise<unknown>,
): Promise<HandlerServer> {
  await site.write('src/pages/api/media/[...path].js', endpoint);
  await build();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['dist/server/entry.mjs'], {
    cwd: site.dir,
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: `${port}` },
      ...{ MEDIA_URL: `${url}/api/media`, MEDIA_ASSET_BASE_URL: emulator.url },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // It says so when it listens.
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return {
    url,
    async close() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

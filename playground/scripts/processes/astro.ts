import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startNode } from './child.ts';
import { signInFields } from './emulator.ts';

/** The playground's folder: the root of its Astro project. */
export const siteFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Runs an Astro command on the playground, with the emulator as its service. */
export function startAstro(args: readonly string[], serviceUrl: string): Child {
  return startNode(findAstro(), args, {
    cwd: siteFolder,
    stdio: 'inherit',
    env: { ...process.env, ...serviceEnvironment(serviceUrl), ASTRO_TELEMETRY_DISABLED: '1' },
  });
}

/** The content of a real site's `.env` file. */
function serviceEnvironment(url: string): Record<string, string> {
  return {
    MEDIA_ASSET_BASE_URL: url,
    MEDIA_ASSET_CLIENT_ID: signInFields.client_id,
    MEDIA_ASSET_CLIENT_SECRET: signInFields.client_secret,
    MEDIA_ASSET_USERNAME: signInFields.username,
    MEDIA_ASSET_PASSWORD: signInFields.password,
    // A build on this machine only reports if it's told to.
    MEDIA_ASSET_REPORT: 'always',
  };
}

function findAstro(): string {
  const file = fileURLToPath(import.meta.resolve('astro/package.json'));
  const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: { astro: string } };
  return join(dirname(file), bin.astro);
}

/**
 * Imports an integration like a config file, and runs its first hook, in its own process. Prints
 * the time in milliseconds.
 *
 * `node run-config-hook.ts <integration> [<module that is loaded before>]`
 */
import { pathToFileURL } from 'node:url';

const [integration = '', before] = process.argv.slice(2);
Object.assign(process.env, {
  MEDIA_ASSET_BASE_URL: 'https://media.example',
  MEDIA_ASSET_ACCESS_TOKEN: 'token',
});
const logger = { fork: () => logger };
const config = { root: pathToFileURL(`${import.meta.dirname}/`), vite: {}, markdown: {} };
if (before) await import(before);

const start = performance.now();
const { default: mediaAsset } = await import(pathToFileURL(integration).href);
await mediaAsset().hooks['astro:config:setup']({
  command: 'build',
  config,
  updateConfig: () => config,
  logger,
});
process.stdout.write(`${performance.now() - start}\n`);

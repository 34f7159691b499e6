import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './options.ts';

/**
 * The environment of a site: its `.env` files, and above them the variables of the process. Later
 * files win, in Vite's order. Astro does not put `.env` values into `process.env` in hooks.
 *
 * @param root the project's folder
 * @param mode `production`, `development` or a mode of the site's own
 */
export function loadEnvironment(
  root: string,
  mode: string,
  variables: Environment = process.env,
): Environment {
  const files = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  return Object.assign({}, ...files.map((file) => readEnvFile(join(root, file))), variables);
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

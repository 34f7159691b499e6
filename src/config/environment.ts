import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { AstroConfig } from 'astro';
import { mediaAssetError } from '../errors/errors.ts';
import { errorCode } from '../storage/error-code.ts';
import type { Environment } from './options.ts';

/**
 * The environment of a site: its `.env` files, and above them the variables of the process. Later
 * files win, in Vite's order. Astro does not put `.env` values into `process.env` in hooks.
 *
 * @param root the project's folder
 * @param mode `production`, `development` or a mode of the site's own
 * @throws `environment-unreadable`
 */
export function loadEnvironment(
  root: string,
  mode: string,
  variables: Environment = process.env,
): Environment {
  const files = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  return Object.assign({}, ...files.map((file) => readEnvFile(join(root, file))), variables);
}

/**
 * The environment of a site that Astro builds: its `.env` files are where Vite looks for them, in
 * `vite.envDir` or else in the project's folder.
 *
 * @throws `environment-unreadable`
 */
export function siteEnvironment(
  { root, vite: { envDir = '.' } }: Pick<AstroConfig, 'root' | 'vite'>,
  mode: string,
): Environment {
  if (envDir === false) return process.env;
  return loadEnvironment(resolve(fileURLToPath(root), envDir), mode);
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    const code = errorCode(cause);
    // A folder `.env` is a virtual environment of Python.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return {};
    throw mediaAssetError('environment-unreadable', { path }, { cause });
  }
}

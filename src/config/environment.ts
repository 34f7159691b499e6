import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { AstroConfig } from 'astro';
import { mediaAssetError } from '../errors/errors.ts';
import { errorCode } from '../storage/file-problems.ts';
import { refuseTrackedLinks } from '../storage/tracked-links.ts';
import type { Environment } from './options.ts';

/**
 * The variables of the process, and below them the `.env` files in Vite's order, of which later
 * files win. In hooks, Astro doesn't put them into `process.env`. `mode`: such as `production`.
 */
export function loadEnvironment(
  root: string,
  mode: string,
  variables: Environment = process.env,
): Environment {
  const files = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  refuseTrackedLinks(root, [...files, '.media-asset', 'node_modules/.astro']);
  return Object.assign({}, ...files.map((file) => readEnvFile(join(root, file))), variables);
}

/** The environment of a build. Its `.env` files are in `vite.envDir`, or the project's folder. */
export function siteEnvironment(
  { root, vite: { envDir = '.' } }: Pick<AstroConfig, 'root' | 'vite'>,
  mode: string,
): Environment {
  if (envDir === false) return process.env;
  return loadEnvironment(resolve(fileURLToPath(root), envDir), mode);
}

/** Variables that build hosts set in all of their builds. Not all set `CI`. */
const hostVariables = [
  ...['CI', 'AWS_BRANCH', 'CF_PAGES', 'JENKINS_URL', 'NETLIFY', 'RENDER', 'TF_BUILD', 'VERCEL'],
  'WORKERS_CI',
];

/** Whether this is a build host, known or not. */
export function isOnBuildHost(variables: Environment): boolean {
  return hostVariables.some((name) => isSet(variables[name]));
}

/** Not empty, `false` or `0`, which hosts write for "no". */
export function isSet(value = ''): boolean {
  return !['', 'false', '0'].includes(value);
}

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    const code = errorCode(cause);
    // A folder named `.env` is a Python virtual environment.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return {};
    throw mediaAssetError('environment-unreadable', { path }, { cause });
  }
}

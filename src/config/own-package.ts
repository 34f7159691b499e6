import { readFileSync } from 'node:fs';
import { mediaAssetError } from '../errors/errors.ts';

export function readOwnPackage(): { version: string; engines: { node: string } } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}

/** Commands and the integration call this first. Older versions of Astro accept older Nodes. */
export function assertNodeVersion(): void {
  const { node } = process.versions;
  const least = readOwnPackage().engines.node.replace(/^>=/, '');
  if (node.localeCompare(least, 'en', { numeric: true }) < 0) {
    throw mediaAssetError('node-too-old', { node, least });
  }
}

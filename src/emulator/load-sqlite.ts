import { readFileSync } from 'node:fs';
import { mediaAssetError } from '../errors.ts';

/**
 * `node:sqlite` without the ExperimentalWarning that Node 22 prints for it. All other warnings,
 * experimental ones included, stay.
 *
 * @throws MediaAssetError `emulator-node-too-old` where Node has none, or only behind a flag.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/SQLite is an experimental feature/.test(String(warning))) emitWarning(warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite') as
      | ReturnType<typeof loadSqlite>
      | undefined;
    if (sqlite) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  const { node: version } = process.versions;
  throw mediaAssetError('emulator-node-too-old', { version, least: leastNode() });
}

function leastNode(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { engines } = JSON.parse(readFileSync(file, 'utf8')) as { engines: { node: string } };
  return engines.node.replace(/^>=/, '');
}

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readOutput } from '../../src/scan/read-output.ts';

export const service = 'https://media.example/dam';
export const rules: Parameters<typeof readOutput>[1] = {
  ...{ site: 'https://www.example.org', base: '/', format: 'file', trailingSlash: 'ignore' },
  ...{ exclude: [], service },
};

/** Writes files into a folder, and reads all that are in it. */
export async function readFiles(dir: string, files: Record<string, string | Uint8Array>) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  }
  const found = await readOutput(dir, rules, { judges: true });
  return {
    found,
    renditions: found.flatMap((one) => one.renditions),
    assets: found.flatMap((one) => one.assets.map(({ id }) => id)),
    fetched: found.flatMap((one) => one.fetched.map(({ id }) => id)),
    unread: found.flatMap((one) => one.unread),
    deferred: found.flatMap(({ page, isDeferred }) => (isDeferred ? page : [])),
    markers: found.flatMap(({ page, markers }) => markers.map((one) => ({ ...one, page }))),
  };
}

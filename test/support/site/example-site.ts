import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../process/free-port.ts';
import { type Site, siteIn } from './site.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Writes the files of `examples/<name>` that Git has into a folder. Their service gets a free port. */
export async function copyExample(name: string, dir: string): Promise<Site> {
  const site = siteIn(dir);
  const from = `examples/${name}/`;
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', from], { cwd: root });
  const port = String(await freePort());
  for (const file of stdout.split('\0').filter(Boolean)) {
    const text = await readFile(join(root, file), 'utf8');
    await site.write(file.slice(from.length), text.replaceAll('4710', port));
  }
  return site;
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Runs a script of this folder in its own process, and returns the JSON that it prints. */
export async function runProcess(
  script: string,
  order: unknown,
  environment: Readonly<Record<string, string>> = {},
): Promise<Record<string, number>> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', path, JSON.stringify(order)],
    { env: { ...process.env, ...environment } },
  );
  return JSON.parse(stdout);
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const file = (path: string) => fileURLToPath(new URL(`../../bench/${path}`, import.meta.url));

/** Runs the bench with these arguments. */
function bench(...parameters: string[]): Promise<{ code: unknown; output: string; error: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file('run.ts'), ...parameters], (failure, output, error) => {
      resolve({ code: failure?.code ?? 0, output, error });
    });
  });
}

test.each([['--only', 'nothing'], ['--rounds', '0'], ['--fast']])(
  'wrong usage exits with 2: %s',
  async (...parameters) => {
    const { code, output, error } = await bench(...parameters);
    expect([code, output]).toEqual([2, '']);
    expect(error).toContain(parameters[0]);
  },
);

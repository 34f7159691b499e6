import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { commandEntry } from '../../support/site/built-folder.ts';

/** Prints each loaded module to stderr. */
const watcher = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });",
)}`;

test.each([['--help'], ['download --help'], ['upload'], ['help search']])(
  "media-asset %s loads no command's code",
  async (words) => {
    const all = ['--import', watcher, commandEntry, ...words.split(' ')];
    const { stderr } = await promisify(execFile)(process.execPath, all).catch(
      (error: { stderr: string }) => error,
    );
    expect(stderr).toContain('/src/cli/declare-commands.ts');
    expect(stderr).not.toMatch(/\/src\/cli\/commands\/(?:library|rights|\w+\.ts)/);
    expect(stderr).not.toMatch(/\/node_modules\/(?:zod|sharp|hono)\//);
    expect(stderr).not.toMatch(/\/src\/(?:service|images|emulator)\//);
  },
);

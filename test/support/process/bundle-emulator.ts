import { rename } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Bundles the emulator's process once for all tests, which start it hundreds of times: a start then takes
 * two thirds of the processor time. `EMULATOR_BUNDLE` has the file's path.
 */
export async function setup({ config }: TestProject): Promise<void> {
  // Each run bundles it. Watching goes on with changed sources, and `codes-as-messages.ts` changes a module.
  if (process.env.EMULATOR_BUNDLE || config.watch || process.env.TEST_CODES_AS_MESSAGES) return;
  const outfile = `${root}node_modules/.cache/bent-process.mjs`;
  const unfinished = `${outfile}.${process.pid}`;
  await build({
    absWorkingDir: root,
    entryPoints: ['test/support/bends/bent-process.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['sharp'],
    outfile: unfinished,
    // The emulator's page finds its files next to its module, and packages in CommonJS need `require`.
    define: { 'import.meta.url': 'moduleUrl' },
    banner: {
      js: `import { createRequire } from 'node:module';
const moduleUrl = ${JSON.stringify(pathToFileURL(`${root}src/emulator/page/page-calls.ts`))};
const require = createRequire(import.meta.url);`,
    },
  });
  await rename(unfinished, outfile);
  process.env.EMULATOR_BUNDLE = outfile;
}

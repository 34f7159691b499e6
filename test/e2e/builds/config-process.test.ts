/** @module-tag slow */
import { performance } from 'node:perf_hooks';
import picocolors from 'picocolors';
import { beforeAll, describe, expect, test } from 'vitest';
import { runSiteProcess } from '../../../src/cli/site-process/run-site-process.ts';
import { lineWriters } from '../../../src/cli/terminal/terminal.ts';
import { emulatorClient } from '../../assets/open-images.ts';
import { useSite } from '../../support/site/site-with-service.ts';

const imports = `
import { defineConfig } from 'astro/config';
import mediaAssets from 'astro-media-asset';
`;
const config = (line: string) => `${imports}${line}
export default defineConfig({
  integrations: [
    mediaAssets({ record: { fields: ['text'], read: ({ text }) => ({ alt: text }) } }),
  ],
});
`;

const setup = useSite('bare');

beforeAll(async () => {
  await emulatorClient(setup.emulator).files.update(4711, { text: 'The harbour' });
}, 120_000);

async function record(line: string, file = 'astro.config.mjs') {
  if (file !== 'astro.config.mjs') await setup.site.remove('astro.config.mjs');
  await setup.site.write(file, config(line));
  const started = performance.now();
  const { exitCode, stdout } = await setup.command('record', '4711', '--json');
  if (file !== 'astro.config.mjs') {
    await setup.site.remove(file);
    await setup.site.write('astro.config.mjs', config(''));
  }
  return { exitCode, seconds: (performance.now() - started) / 1000, ...JSON.parse(stdout) };
}

describe('a command that evaluates the config of a site', () => {
  test.each([
    ['prints to stdout', "console.log('Hello'); process.stdout.write('{');"],
    ['leaves an interval open', 'setInterval(() => {}, 10);'],
    ['sends messages to its parent', "process.send?.({ kind: 'end', exitCode: 0 });"],
    ['closes the channel of a parent that it thinks it has', 'process.removeAllListeners();'],
    ['waits for a promise', 'await new Promise((done) => setTimeout(done, 300));'],
    ['needs variables of production', "if (process.env.NODE_ENV !== 'production') throw Error();"],
  ])('answers if the config %s', async (_, line) => {
    expect(await record(line)).toMatchObject({ exitCode: 0, read: { alt: 'The harbour' } });
  });

  test('answers if the config is TypeScript', async () => {
    const line = 'const answer: number = 42; if (answer !== 42) throw new Error();';
    const answer = await record(line, 'astro.config.ts');
    expect(answer).toMatchObject({ exitCode: 0, read: { alt: 'The harbour' } });
  });

  test('shows the fields alone if there is no config', async () => {
    await setup.site.remove('astro.config.mjs');
    const { exitCode, stdout } = await setup.command(
      'record',
      '4711',
      '--fields',
      'text',
      '--json',
    );
    expect({ exitCode, ...JSON.parse(stdout) }).toEqual({
      ...{ exitCode: 0, version: 1, id: 4711 },
      fields: { id: 4711, text: 'The harbour' },
    });
  });

  test.each([
    ['ends the process', 'process.exit(0);', /ended the process with exit code 0/],
    ['ends the process later', 'setTimeout(() => process.exit(0), 1);', /ended the process with/],
    ['throws', "throw new Error('no lantern');", /no lantern/],
    // The Vite of Astro 5 can't keep a thrown text.
    ['throws a text', "throw 'no lantern';", /no lantern|Invalid value used in weak set/],
    ['throws nothing', 'throw undefined;', /undefined/],
    ['throws later', "setTimeout(() => { throw new Error('no lantern'); }, 1);", /no lantern/],
    ['leaves a rejection', "Promise.reject(new Error('no lantern'));", /no lantern/],
    ['closes the channel', 'process.disconnect();', /ended the process/],
    ['imports what is missing', "await import('no-lantern');", /no-lantern/],
  ])('fails if the config %s, and says why', async (_, line, problem) => {
    expect(await record(line)).toMatchObject({
      exitCode: 1,
      error: { code: 'config-unloadable', message: expect.stringMatching(problem) },
    });
  });

  test("keeps the code of the integration's own errors", async () => {
    const wrong = config('').replace("fields: ['text']", "fields: 'text'");
    await setup.site.write('astro.config.mjs', wrong);
    const { exitCode, stdout } = await setup.command('record', '4711', '--json');
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 1,
      error: { code: 'options-invalid', message: expect.stringContaining('record.fields') },
    });
  });

  test.each([
    ['waits for ever', 'await new Promise((done) => setInterval(() => {}, 10));'],
    ['never gives up the processor', 'for (;;);'],
  ])('fails in time if the config %s', async (_, line) => {
    await setup.site.write('astro.config.mjs', config(line));
    const paint = picocolors.createColors(false);
    const { env, ...environment } = { env: setup.emulator.env, ...process.env };
    const terminal = {
      ...lineWriters({ writeOut: () => {}, writeNote: () => {}, environment }),
      ...{ redraw: undefined, confirm: undefined, ask: async () => undefined },
      ...{
        browse: async () => {},
        paint,
        notePaint: paint,
        width: undefined,
        noteWidth: undefined,
      },
      ...{ environment: { ...environment, ...env }, directory: setup.site.dir },
      signal: new AbortController().signal,
    };
    await expect(
      runSiteProcess(['record', '4711'], terminal, { timeLimit: 3000 }),
    ).rejects.toMatchObject({
      code: 'config-unloadable',
      message: expect.stringContaining("wasn't evaluated after 3 s"),
    });
  });
});

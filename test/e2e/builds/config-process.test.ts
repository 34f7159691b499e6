/** @module-tag slow */
import { beforeAll, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { runCommand } from '../../support/process/run-command.ts';
import { useSite } from '../../support/site/site-with-service.ts';

const imports = `
import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';
`;
const config = (line: string) => `${imports}${line}
export default defineConfig({
  integrations: [
    mediaAsset({ record: { fields: ['text'], read: ({ text }) => ({ alt: text }) } }),
  ],
});
`;

/** How the command and its child process talk doesn't depend on Astro. */
const onAnyAstro = { tags: ['any-astro'] };

const setup = useSite('bare');

beforeAll(async () => {
  await emulatorClient(setup.emulator).files.update(4711, { text: 'The harbour' });
}, 120_000);

async function record(...words: string[]) {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, ...setup.emulator.env };
  const context = { directory: setup.site.dir, environment };
  const { exitCode, stdout } = await runCommand(['record', '4711', '--json', ...words], context);
  return { exitCode, ...JSON.parse(stdout) };
}

describe('a command that evaluates the config of a site', () => {
  test('answers, whatever the config leaves open, prints or listens to', async () => {
    await setup.site.remove('astro.config.mjs');
    await setup.site.write(
      'astro.config.ts',
      config(`const greeting: string = 'Hello';
console.log(greeting);
process.stdout.write('{');
setInterval(() => {}, 10);
process.send?.({ kind: 'end', exitCode: 0 });
process.removeAllListeners();
await new Promise((done) => setTimeout(done, 300));
if (process.env.NODE_ENV !== 'production') throw Error();`),
    );
    expect(await record()).toMatchObject({ exitCode: 0, read: { alt: 'The harbour' } });
    await setup.site.remove('astro.config.ts');
  });

  test('shows the fields alone if there is no config', onAnyAstro, async () => {
    const found = await record();
    expect(found).toMatchObject({ exitCode: 0, fields: { id: 4711, text: 'The harbour' } });
    expect(found).not.toHaveProperty('read');
  });

  test.each([
    ['ends the process', 'setTimeout(() => process.exit(0), 1);', /ended .* with exit code 0/],
    ['throws', "throw new Error('no lantern');", /no lantern/],
    ['throws nothing', 'throw undefined;', /undefined/],
    ['throws later', "setTimeout(() => { throw new Error('no lantern'); }, 1);", /no lantern/],
    ['closes the channel', 'process.disconnect();', /ended the process/],
  ])('fails if the config %s, and says why', onAnyAstro, async (_, line, problem) => {
    await setup.site.write('astro.config.mjs', config(line));
    expect(await record()).toMatchObject({
      exitCode: 1,
      error: { code: 'config-unloadable', message: expect.stringMatching(problem) },
    });
  });

  test("keeps the code of the integration's own errors", onAnyAstro, async () => {
    const wrong = config('').replace("fields: ['text']", "fields: 'text'");
    await setup.site.write('astro.config.mjs', wrong);
    expect(await record()).toMatchObject({
      exitCode: 1,
      error: { code: 'options-invalid', message: expect.stringContaining('record.fields') },
    });
  });
});

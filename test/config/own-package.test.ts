import { afterEach, describe, expect, test, vi } from 'vitest';
import { assertNodeVersion } from '../../src/config/own-package.ts';
import mediaAsset from '../../src/index.ts';
import { runCommand } from '../support/process/run-command.ts';

function runOn(node: string): void {
  const versions = { value: { ...process.versions, node } };
  vi.stubGlobal('process', Object.create(process, { versions }));
}

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['20.20.2', false],
  ['22.9.0', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['22.13.1', true],
  ['100.0.0', true],
])('Node %s is new enough: %s', (version, isEnough) => {
  runOn(version);
  if (isEnough) assertNodeVersion();
  else expect(assertNodeVersion).toThrow(`needs Node 22.13 or newer, and this is Node ${version}.`);
});

describe('on Node 20', () => {
  test('a command exits with 1 and one sentence before it does anything', async () => {
    runOn('20.20.2');
    const words = ['plan', 'dist', '--json'];
    const { exitCode, stdout, stderr } = await runCommand(words, { directory: '/nowhere' });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, error: { code: 'node-too-old' } });
    expect(stderr.split('\n')).toEqual([
      'error astro-media-asset needs Node 22.13 or newer, and this is Node 20.20.2.',
      expect.stringMatching(/^ {2}Install a newer Node.* \[node-too-old\]$/),
      '  Read more: npx --no media-asset explain node-too-old',
      '',
    ]);
  });

  test('--version and --help work', async () => {
    runOn('20.20.2');
    for (const word of ['--version', '--help']) {
      expect(await runCommand([word], { directory: '/nowhere' })).toMatchObject({ exitCode: 0 });
    }
  });

  test('the integration’s first hook fails', async () => {
    runOn('20.20.2');
    const setup = mediaAsset().hooks['astro:config:setup'];
    await expect(setup?.({} as never)).rejects.toMatchObject({ code: 'node-too-old' });
  });
});

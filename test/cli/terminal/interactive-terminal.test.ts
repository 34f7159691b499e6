import { beforeEach, describe, expect, test } from 'vitest';
import { startService } from '../../assets/open-images.ts';
import { ctrlC, openInteractiveTerminal } from '../../support/process/interactive-terminal.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const emulator = await startService([{ path: 'a.jpg', width: 320, height: 200 }]);
const site = ['--site', 'https://harbour.example'];
const escapeCode = '\u001b';

const folder = useBuiltFolder();

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.reset();
  for (const at of [1, 2, 3])
    await folder.page(`dist/${at}/index.html`, `The quay, number ${at}`, 4711);
});

const environment = { ...emulator.env, FORCE_COLOR: undefined, NO_COLOR: undefined, CI: undefined };

const run = (words: readonly string[], columns?: number) =>
  openInteractiveTerminal(words, {
    directory: folder.dir,
    environment,
    ...(columns && { columns }),
  });

const pages = () => emulator.usages(4711).map(({ page }) => page);

describe('media-asset in a terminal', () => {
  test('shows the plan and asks, and "n" sends nothing', async () => {
    const terminal = run(['report', 'dist', ...site]);
    await terminal.waitFor('[y/N]');
    expect(terminal.screen()).toContain('The quay, number 1');
    terminal.type('n\r');
    expect(await terminal.waitForExit()).toBe(4);
    expect(pages()).toEqual([]);
  });

  test('sends after "y", with colours and a progress bar that disappears', async () => {
    const terminal = run(['report', 'dist', ...site]);
    await terminal.waitFor('[y/N]');
    terminal.type('y\r');
    expect(await terminal.waitForExit()).toBe(0);
    expect(pages()).toHaveLength(3);
    expect(terminal.received).toContain('█');
    expect(terminal.screen()).not.toMatch(/[█░]/);
    expect(terminal.received).toContain(`${escapeCode}[3`);
  });

  test('takes Ctrl-C at a question as "no"', async () => {
    const terminal = run(['report', 'dist', ...site]);
    await terminal.waitFor('[y/N]');
    terminal.type(ctrlC);
    expect(await terminal.waitForExit()).toBe(4);
    expect(pages()).toEqual([]);
  });

  test("doesn't cut the plan's lines in a narrow terminal", async () => {
    const terminal = run(['plan', 'dist', ...site], 40);
    expect(await terminal.waitForExit()).toBe(0);
    expect(terminal.screen()).toContain('The quay, number 1');
    const bars = terminal.received.split(/[\r\n]/).filter((part) => /[█░]/.test(part));
    for (const bar of bars) {
      expect(bar.replaceAll(`${escapeCode}[K`, '').length).toBeLessThan(40);
    }
  });
});

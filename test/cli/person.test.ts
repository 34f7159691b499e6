import { describe, expect, onTestFinished, test } from 'vitest';
import { startService } from '../images/open-images.ts';
import { type BuiltFolder, createBuiltFolder } from '../support/built-folder.ts';
import { atTerminal, ctrlC } from '../support/person.ts';

const emulator = await startService([{ path: 'a.jpg', width: 320, height: 200 }]);
const site = ['--site', 'https://harbour.example'];
const escapeCode = '\u001b';

async function built(pages = 2): Promise<BuiltFolder> {
  await emulator.clearFaults();
  await emulator.reset();
  const folder = await createBuiltFolder();
  onTestFinished(() => folder.delete());
  for (let at = 1; at <= pages; at += 1) {
    await folder.page(`dist/${at}/index.html`, `The quay, number ${at}`, 4711);
  }
  return folder;
}

const environment = { ...emulator.env, FORCE_COLOR: undefined, NO_COLOR: undefined, CI: undefined };

function run(folder: BuiltFolder, words: readonly string[], more: object = {}) {
  const { columns, ...variables } = more as { columns?: number };
  return atTerminal(words, {
    directory: folder.dir,
    environment: { ...environment, ...variables },
    ...(columns && { columns }),
  });
}

const pages = () => emulator.usages(4711).map(({ page }) => page);

describe('a person at a terminal', () => {
  test('reads the help, and the help of a command', async () => {
    const folder = await built();
    const program = run(folder, ['--help']);
    expect(await program.ends()).toBe(0);
    expect(program.screen()).toContain('Usage: media-asset');
    const command = run(folder, ['cache', 'clear', '--help']);
    expect(await command.ends()).toBe(0);
    expect(command.screen()).toContain('$ media-asset cache clear --asset 4711 --yes');
  });

  test.each([
    [['repotr', 'dist'], 'Did you mean report?'],
    [['repotr', '--help'], 'Did you mean report?'],
    [['cache', 'lits'], 'Did you mean list?'],
    [['cache', 'lits', '--help'], 'Did you mean list?'],
  ])('mistypes %s and is told what was meant', async (words, text) => {
    const person = run(await built(), words);
    expect(await person.ends()).toBe(2);
    expect(person.screen()).toContain(text);
  });

  test('is shown the plan and asked; n sends nothing, and nothing is lost', async () => {
    const folder = await built();
    const person = run(folder, ['report', 'dist', ...site]);
    await person.sees('[y/N]');
    expect(person.screen()).toContain('The quay, number 1');
    person.types('n\r');
    expect(await person.ends()).toBe(4);
    expect(pages()).toEqual([]);
  });

  test('says y, and sees colours and a bar that is gone at the end', async () => {
    const folder = await built(3);
    const person = run(folder, ['report', 'dist', ...site]);
    await person.sees('[y/N]');
    person.types('y\r');
    expect(await person.ends()).toBe(0);
    expect(pages()).toHaveLength(3);
    expect(person.received).toContain('█');
    expect(person.screen()).not.toMatch(/[█░]/);
    expect(person.received).toContain(`${escapeCode}[3`);
  });

  test('is shown no colour with NO_COLOR', async () => {
    const person = run(await built(), ['plan', 'dist', ...site], { NO_COLOR: '1' });
    expect(await person.ends()).toBe(0);
    expect(person.screen()).toContain('The quay, number 1');
    expect(person.received).not.toMatch(new RegExp(`${escapeCode}\\[\\d*m`));
  });

  test('presses Ctrl-C while a report is sent: it ends by itself, and the next run sends the rest', async () => {
    const folder = await built(12);
    await emulator.setFaults([{ kind: 'latency', call: 'usage-report', ms: 400 }]);
    const person = run(folder, ['report', 'dist', ...site, '--yes']);
    await person.sees('Sending');
    person.types(ctrlC);
    expect(await person.ends()).toBe(4);
    expect(person.screen()).toContain('Finishing the requests under way');
    expect(person.screen()).not.toMatch(/[█░]|^\s+at /m);
    expect(pages().length).toBeLessThan(12);
    await emulator.clearFaults();
    const next = run(folder, ['report', 'dist', ...site, '--yes']);
    expect(await next.ends()).toBe(0);
    expect(new Set(pages()).size).toBe(12);
    expect(pages()).toHaveLength(12);
  });

  test('presses Ctrl-C where something is asked: that is a no', async () => {
    const person = run(await built(), ['report', 'dist', ...site]);
    await person.sees('[y/N]');
    person.types(ctrlC);
    expect(await person.ends()).toBe(4);
    expect(pages()).toEqual([]);
  });

  test('clears the cache once it has said y', async () => {
    const folder = await built();
    const person = run(folder, ['cache', 'clear']);
    await person.sees('[y/N]');
    person.types('y\r');
    expect(await person.ends()).toBe(0);
    expect(person.screen()).toContain('Cleared 0 files');
  });

  test('has a narrow terminal: no line of the plan is cut by it', async () => {
    const person = run(await built(), ['plan', 'dist', ...site], { columns: 40 });
    expect(await person.ends()).toBe(0);
    expect(person.screen()).toContain('The quay, number 1');
    const bars = person.received.split(/[\r\n]/).filter((part) => /[█░]/.test(part));
    for (const bar of bars) {
      expect(bar.replaceAll(`${escapeCode}[K`, '').length).toBeLessThan(40);
    }
  });
});

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emulatorClient, openImages } from '../../assets/open-images.ts';
import { inspectCache } from '../../support/images/inspect-cache.ts';
import { ctrlC, openInteractiveTerminal } from '../../support/process/interactive-terminal.ts';
import { startEmulatorLibrary } from '../../support/service/emulator-library.ts';
import { downloads } from '../../support/site/site-with-service.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const library = await startEmulatorLibrary();
const folder = useBuiltFolder();

await writeFile(`${library.emulator.mediaDir}/boats/timetable.pdf`, '%PDF-1.7\n');

beforeEach(() => library.emulator.clearLog());
afterEach(() => library.emulator.clearFaults());

const run = (...words: string[]) => folder.command(['fetch', ...words], library.emulator.env);

async function outcomes(...words: string[]): Promise<string[]> {
  const { stdout } = await run(...words, '--json');
  return JSON.parse(stdout).assets.map(({ id, outcome, code = '' }: Record<string, string>) =>
    `${id} ${outcome} ${code}`.trim(),
  );
}

const asked = () => downloads(library.emulator.log());

test('given assets are fetched once, and the dev server then needs no service', async () => {
  const { exitCode, stdout } = await run('4712', '4711', '4712');
  expect(stdout).toMatch(/^2 originals fetched \(.*\), 0 already there, 0 failed, in /);
  expect(exitCode).toBe(0);
  expect(asked().sort()).toEqual(['200 /1/file/4711/download/0', '200 /1/file/4712/download/0']);

  const images = openImages({
    service: emulatorClient(
      { url: library.emulator.url },
      { fetch: () => Promise.reject(new TypeError('offline')), attempts: 1 },
    ),
    cacheDir: folder.path('node_modules/.astro/media-asset'),
    mode: 'dev',
    crops: 'local',
  });
  const crop = { x: 10, y: 10, width: 50, height: 40 };
  const { src } = await images.getMediaAsset({ id: 4712, alt: '', page: '/', crop });
  expect((await images.fileFor(src))?.bytes?.length).toBeGreaterThan(0);
  await images.save();
});

test('cached assets are listed and not requested again', async () => {
  await run('4711');
  library.emulator.clearLog();
  expect(await outcomes('4711', '4712')).toEqual(['4711 present', '4712 fetched']);
  expect(asked()).toEqual(['200 /1/file/4712/download/0']);
});

test('without arguments, it fetches the assets of the last build and the source files', async () => {
  const images = openImages({
    service: emulatorClient(library.emulator),
    cacheDir: folder.path('node_modules/.astro/media-asset'),
  });
  await images.publishOne(4711);
  await images.publishOne(4712);
  await folder.write('src/pages/index.astro', '<MediaAsset id={4713} alt="" />');
  expect(await outcomes()).toEqual(['4711 present', '4712 present', '4713 fetched']);
});

test('without any asset, it says so', async () => {
  const { exitCode, stdout } = await run();
  expect(stdout).toContain('Nothing to fetch');
  expect(exitCode).toBe(0);
});

describe('failures', () => {
  test('of one asset are listed at the end, and the others are fetched', async () => {
    const { exitCode, stdout } = await run('999', '4711');
    expect(stdout).toMatch(
      /^failed {2}asset 999 {2}The service doesn't know asset 999 \(404\)\. \[asset-unknown\]$/m,
    );
    expect(stdout).toContain('1 original fetched');
    expect(exitCode).toBe(1);
    expect(await outcomes('4711')).toEqual(['4711 present']);
  });

  test('of all assets end the command, and fetched files stay', async () => {
    await run('4711');
    const env = { ...library.emulator.env, MEDIA_ASSET_PASSWORD: 'wrong' };
    const { exitCode, stderr } = await folder.command(['fetch', '4711', '4712', '4713'], env);
    expect(stderr).toContain('[credentials-refused]');
    expect(exitCode).toBe(1);
    expect(await outcomes('4711')).toEqual(['4711 present']);
  });

  test.each(['quay', '0', '-0'])('%s is an invalid ID', async (word) => {
    const { exitCode } = await run('--', word);
    expect(exitCode).toBe(2);
  });
});

describe('Ctrl-C', () => {
  const person = (...words: string[]) =>
    openInteractiveTerminal(['fetch', ...words], {
      directory: folder.dir,
      environment: { ...library.emulator.env, CI: undefined },
    });
  const ids = ['4711', '4712', '4713', '4714'];

  test('ends the command with its progress, keeps complete files, and a second run fetches the rest', async () => {
    const endless = { kind: 'endless', call: 'original', body: 'image', ms: 20 } as const;
    await library.emulator.setFaults([{ ...endless, skip: 2 }]);
    const first = person(...ids);
    await first.waitFor('50 %');
    first.type(ctrlC);
    expect(await first.waitForExit()).toBe(130);
    expect(first.screen()).toMatch(/^2 originals fetched \(.*\), 0 already there, 0 failed/m);
    expect(first.screen()).toContain("Canceled: 2 of 4 weren't fetched.");
    expect(first.screen()).not.toMatch(/[█░]|^\s+at /m);
    const cacheDir = folder.path('node_modules/.astro/media-asset');
    expect(inspectCache(cacheDir)).toEqual({ whole: 2, broken: [] });
    expect(await readdir(join(cacheDir, 'v3/tmp'))).toEqual([]);

    await library.emulator.clearFaults();
    const second = person(...ids);
    expect(await second.waitForExit()).toBe(0);
    expect(second.screen()).toMatch(/^2 originals fetched \(.*\), 2 already there, 0 failed/m);
    expect(second.screen()).not.toMatch(/[█░]/);
  });
});

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Fault } from '../../support/bends/faults/faults.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import { startService } from '../../support/service/start-service.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const images = ['a', 'b', 'c'].map((name, seed) => {
  return { path: `src/assets/${name}.jpg`, width: 80, height: 60, seed };
});

const folder = useBuiltFolder();

/** A project with three images, of which a page shows two. */
async function project() {
  const emulator = await startService([{ path: 'harbour/old.jpg', width: 40, height: 30 }], {
    fields: 'alttext',
  });
  await drawTestImages(images, folder.dir);
  await folder.write('src/pages/a.md', '![A quay](../assets/a.jpg) ![B](../assets/b.jpg)\n');
  const run = (...words: string[]) =>
    folder.command(['import', 'src/assets', '--folder', '1', '--json', ...words], emulator.env);
  const states = (stdout: string) =>
    (JSON.parse(stdout).images as { path: string; id: number; state: string }[]).map(
      ({ path, id, state }) => `${path} ${id} ${state}`,
    );
  const uploads = () => emulator.log().filter(({ path }) => path === '/1/file').length;
  return { emulator, run, states, uploads };
}

test('uploads the images that sources name, once, and changes nothing unasked', async () => {
  const { run, states, uploads } = await project();
  const first = await run();
  expect(states(first.stdout)).toEqual([
    'src/assets/a.jpg 4712 uploaded',
    'src/assets/b.jpg 4713 uploaded',
  ]);
  // No build was compared, so nothing is known to be the same.
  expect(JSON.parse(first.stdout)).toMatchObject({ unused: 1, written: [], differences: null });
  expect(await readFile(folder.path('src/pages/a.md'), 'utf8')).toContain('../assets/a.jpg');

  const all = await run('--all', '--write', '--no-check', '--force');
  expect(states(all.stdout)).toEqual([
    'src/assets/a.jpg 4712 imported before',
    'src/assets/b.jpg 4713 imported before',
    'src/assets/c.jpg 4714 uploaded',
  ]);
  expect(await readFile(folder.path('src/pages/a.md'), 'utf8')).toBe(
    '![A quay](media:4712) ![B](media:4713)\n',
  );
  expect(uploads()).toBe(3);
});

test('an import that ended anywhere goes on where it was', async () => {
  const { emulator, run, states, uploads } = await project();
  // The second upload fails after the record was made, and the first isn't recorded.
  await emulator.setFaults([{ kind: 'status', status: 507, call: 'upload', skip: 1 }]);
  expect((await run()).exitCode).toBe(1);
  await emulator.clearFaults();
  const record = folder.path('media-import.json');
  expect(Object.keys(JSON.parse(await readFile(record, 'utf8')).images)).toEqual([
    'src/assets/a.jpg',
  ]);
  await writeFile(record, JSON.stringify({ service: emulator.url, images: {} }));
  const sent = uploads();
  expect(states((await run()).stdout)).toEqual([
    'src/assets/a.jpg 4712 there already',
    expect.stringMatching(/^src\/assets\/b\.jpg \d+ uploaded$/),
  ]);
  expect(uploads() - sent).toBe(1);
});

test('an image that the service is still processing is there', async () => {
  const { emulator, run, states, uploads } = await project();
  await run();
  await emulator.setSettings({ processes: 'none' });
  await rm(folder.path('media-import.json'));
  const sent = uploads();
  expect(states((await run()).stdout)).toEqual([
    'src/assets/a.jpg 4712 there already',
    'src/assets/b.jpg 4713 there already',
  ]);
  expect(uploads()).toBe(sent);
});

test('two imports at once upload each image once', async () => {
  const { run, states, uploads } = await project();
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const [one, other] = both.map(({ stdout }) => states(stdout).map((state) => state.slice(0, 22)));
  expect(one).toEqual(other);
  expect(uploads()).toBe(2);
  expect(both.map(({ stderr }) => stderr).join('')).toContain('media-import.json is in use');
  expect(await readdir(folder.dir)).not.toContain('media-import.json.lock');
});

test('an image that the service has lost since is sent again', async () => {
  const { emulator, run, states } = await project();
  await run();
  const record = folder.path('media-import.json');
  const lost = (await readFile(record, 'utf8')).replace('"id": 4712', '"id": 4799');
  await writeFile(record, lost);
  await emulator.setFaults([{ kind: 'status', status: 404, call: 'original' }]);
  const { stdout } = await run();
  await emulator.clearFaults();
  // The folder's list still has the other one.
  expect(states(stdout)).toEqual([
    'src/assets/a.jpg 4714 uploaded',
    'src/assets/b.jpg 4713 imported before',
  ]);
});

test('an image whose asset has other bytes now is sent again', async () => {
  const { run, states } = await project();
  await run();
  const record = folder.path('media-import.json');
  const swapped = (await readFile(record, 'utf8')).replace('"id": 4712', '"id": 4711');
  await writeFile(record, swapped);
  expect(states((await run()).stdout)).toEqual([
    'src/assets/a.jpg 4712 there already',
    'src/assets/b.jpg 4713 imported before',
  ]);
});

test.each<[when: string, answer: { status: number; body?: 'html' }]>([
  ['refuses to give out', { status: 403 }],
  ['gives out on a page of its own', { status: 200, body: 'html' }],
  ['is still processing', { status: 404 }],
])('an image that the service %s is sent once', async (_, answer) => {
  const { emulator, run, states, uploads } = await project();
  await run();
  const sent = uploads();
  await emulator.setFaults([{ kind: 'status', ...answer, call: 'original' }]);
  await emulator.setSettings({ processes: 'none' });
  const { stdout } = await run();
  await emulator.clearFaults();
  expect(states(stdout)).toEqual([
    'src/assets/a.jpg 4712 imported before',
    'src/assets/b.jpg 4713 imported before',
  ]);
  expect(uploads()).toBe(sent);
});

test.each<[code: string, Fault]>([
  ['service-failed', { kind: 'status', status: 503, call: 'original' }],
  ['download-corrupt', { kind: 'truncate', call: 'original' }],
])('an import sends nothing again while downloads are out: %s', async (code, fault) => {
  const { emulator, run, states, uploads } = await project();
  await run();
  const sent = uploads();
  await emulator.setFaults([fault]);
  const { exitCode, stdout } = await run();
  await emulator.clearFaults();
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { error: { code } }]);
  expect(uploads()).toBe(sent);
  expect(states((await run()).stdout)).toEqual([
    'src/assets/a.jpg 4712 imported before',
    'src/assets/b.jpg 4713 imported before',
  ]);
});

test('what stays is listed with its image and what to write', async () => {
  const { emulator, run } = await project();
  await folder.write('src/data/team.json', '{ "photo": "../assets/c.jpg" }');
  const image = 'src/assets/c.jpg';
  const place = { file: 'src/data/team.json', line: 1, column: 12 };
  const { left } = JSON.parse((await run('--dry-run')).stdout);
  expect(left).toMatchObject([{ place, image, replacement: '{ "id": … }' }]);
  const words = ['import', 'src/assets', '--folder', '1', '--write', '--no-check', '--force'];
  const { stdout } = await folder.command(words, emulator.env);
  expect(stdout).toContain(`by hand  src/data/team.json:1:12  ${image} → { "id": 4714 }`);
});

test('a dry run shows all of it, and sends and writes nothing', async () => {
  const { emulator, run } = await project();
  const { stdout } = await run('--dry-run');
  expect(JSON.parse(stdout)).toMatchObject({
    images: [{ path: 'src/assets/a.jpg' }, { path: 'src/assets/b.jpg' }],
    unused: 1,
    files: ['src/pages/a.md'],
    left: [],
  });
  expect(emulator.log()).toEqual([]);
  await expect(readFile(folder.path('media-import.json'))).rejects.toThrow();
});

test('another service’s record is an error', async () => {
  const { run } = await project();
  const other = { service: 'https://other.example', images: {} };
  await folder.write('media-import.json', JSON.stringify(other));
  const { exitCode, stderr } = await run();
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('import-record-broken')]);
});

test.each([
  [['nowhere'], 2, 'There are no images in nowhere.'],
  [['src/assets', '--folder', '99'], 1, 'There is no folder 99.'],
])('%j is an error', async (words, exitCode, message) => {
  const { emulator } = await project();
  const run = await folder.command(['import', '--folder', '1', ...words], emulator.env);
  expect([run.exitCode, run.stderr]).toEqual([exitCode, expect.stringContaining(message)]);
});

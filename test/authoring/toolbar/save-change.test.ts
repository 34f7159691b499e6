import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findPlaces } from '../../../src/authoring/source/source-places.ts';
import {
  type Save,
  type SaveAnswer,
  type SourcePlace,
  saveRequest,
} from '../../../src/authoring/toolbar/protocol.ts';
import { toolbarAnswers } from '../../../src/authoring/toolbar/toolbar-answers.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

let root: string;
let answers: ReturnType<typeof toolbarAnswers>;
let used: number[];

beforeEach(async () => {
  root = await temporaryFolder('save');
  const project = { root, srcDir: 'src' };
  used = [];
  answers = toolbarAnswers({} as never, {
    library: { noteUse: (id: number) => used.push(id) } as never,
    ...{ upload: {} as never, project },
  });
});

async function write(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), content);
}

const read = (file: string) => readFile(join(root, file));

/** The place of asset 4711, as the app sends it. */
async function placeIn(file: string, number?: number): Promise<SourcePlace> {
  const bytes = await read(file);
  const text = new TextDecoder().decode(bytes);
  const places = await findPlaces({ file, text, id: number });
  const found = places.find(({ props }) => props.id === 4711);
  if (!found) throw new Error(`${file} has no place.`);
  const { line, column, kind, start } = found;
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { file, line, column, kind, start, hash, number };
}

function answer<T>(name: 'save' | 'undo', given: object): Promise<T> {
  return answers[`POST ${name}.json`]?.(given, [] as never) as Promise<T>;
}

const save = (place: SourcePlace, change: object) => answer<SaveAnswer>('save', { place, change });
const undo = ({ saved }: Pick<SaveAnswer, 'saved'>) => answer('undo', { save: saved.save });
async function saves(): Promise<Save[]> {
  const answer = answers['GET saves.json']?.({}, [] as never);
  return ((await answer) as { saves: Save[] }).saves;
}

const crop = { x: 1, y: 2, width: 30, height: 40 };
const head = "---\nimport { MediaAsset } from 'astro-media-asset/components';\n---\n";

/** A source of each syntax. */
const sources = {
  'a.astro': `${head}<MediaAsset id={4711} alt="Quay" sources={[{ media: '(width < 9em)' }]} />\n`,
  'b.mdx': `${head.replaceAll('---\n', '')}\n<MediaAsset id={4711} alt="Quay" />\n`,
  'c.md': '![Quay](media:4711)\n',
  'd.md': '---\nhero:\n  id: 4711\n  alt: Quay\n---\n',
  'e.yaml': 'hero: { id: 4711, sources: [{ media: print }] }\n',
  'f.json': '{ "hero": { "id": 4711, "sources": [{ "media": "print" }] } }\n',
};

const code = '}} set:html={process.exit()} {...{';

test.each<[string, object]>([
  ['a key that is code', { [code]: 1 }],
  ['a key with a line break', { 'alt: x\nowner': 1 }],
  ['an index in text', { sources: { '0.0': crop } }],
  ['an index that is no whole number', { sources: [{ index: '0.0', crop }] }],
  ['code in a crop', { crop: { ...crop, [code]: 1 } }],
  ['a line break in a crop', { crop: { ...crop, 'x: 1\ny': 1 } }],
  ['code instead of a number', { crop: { ...crop, x: code } }],
  ['code in the crop of a source', { sources: [{ index: 0, crop: { ...crop, [code]: 1 } }] }],
  ['code as a poster', { poster: code }],
  ['a poster with another prop', { poster: { id: 4713, alt: code } }],
  ["code in a poster's crop", { poster: { id: 4713, crop: { ...crop, [code]: 1 } } }],
  ['code as a focus', { focus: { x: 0.5, y: 0.5, [code]: 1 } }],
  // `JSON.parse` makes own keys of it.
  ['a prototype', JSON.parse('{ "__proto__": { "crop": 1 } }')],
])('a request with %s is refused before a file is read', async (_, change) => {
  await write('c.md', sources['c.md']);
  const place = await placeIn('c.md');
  expect(saveRequest.safeParse({ place, change: {} }).success).toBe(true);
  expect(saveRequest.safeParse({ place, change }).success).toBe(false);
});

test('a save is undone once, byte for byte, and only if its file is as it was saved', async () => {
  const before = `\uFEFF${sources['d.md'].replaceAll('\n', '\r\n')}`;
  await write('d.md', before);
  const answer = await save(await placeIn('d.md'), { id: 4712 });
  const saved = String(await read('d.md'));
  expect(saved).toBe(before.replace('4711', '4712'));
  await write('d.md', `${saved}more\n`);
  expect((await saves())[0]).toMatchObject({ canUndo: false });
  await expect(undo(answer)).rejects.toMatchObject({ code: 'source-changed' });
  expect(String(await read('d.md'))).toBe(`${saved}more\n`);
  await write('d.md', saved);
  const ends = await Promise.allSettled([undo(answer), undo(answer)]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(String(await read('d.md'))).toBe(before);
});

test('a poster is saved, counts as used last, and is undone byte by byte', async () => {
  const before = `${head.replace('MediaAsset', 'MediaVideo')}<MediaVideo  id={4711}/>\n`;
  await write('v.astro', before);
  const poster = { id: 4713, crop };
  const first = await save(await placeIn('v.astro'), { poster });
  const tag =
    '<MediaVideo  id={4711} poster={{ id: 4713, crop: { x: 1, y: 2, width: 30, height: 40 } }}/>';
  expect(String(await read('v.astro'))).toContain(tag);
  expect([used, first.place.isVideo]).toEqual([[4713], true]);
  const second = await save(first.place, { poster: { id: 4714 } });
  expect(String(await read('v.astro'))).toContain('<MediaVideo  id={4711} poster={4714}/>');
  await undo(second);
  await undo(first);
  expect(String(await read('v.astro'))).toBe(before);
});

test('a poster with a crop that a build refuses is refused, and the file stays', async () => {
  const before = `${head.replace('MediaAsset', 'MediaVideo')}<MediaVideo id={4711} />\n`;
  await write('v.astro', before);
  const poster = { id: 4713, crop: { ...crop, width: 0 } };
  const place = await placeIn('v.astro');
  await expect(save(place, { poster })).rejects.toMatchObject({ code: 'crop-invalid' });
  expect([String(await read('v.astro')), used]).toEqual([before, []]);
});

test('the last ten saves are listed, the newest first, each with the lines that it changed', async () => {
  await write('c.md', `# A\n\n${sources['c.md']}\nEnd\n`);
  await write('f.json', sources['f.json']);
  for (let count = 1; count <= 11; count += 1)
    await save(await placeIn('c.md'), { alt: `Quay ${count}` });
  const last = await save(await placeIn('f.json'), { alt: 'A quay' });
  const listed = await saves();
  expect(listed.map(({ file, before, after }) => [file, before, after]).slice(0, 3)).toEqual([
    ['f.json', sources['f.json'].trimEnd(), expect.stringContaining('"alt": "A quay"')],
    ['c.md', '![Quay 10](media:4711)', '![Quay 11](media:4711)'],
    ['c.md', '![Quay 9](media:4711)', '![Quay 10](media:4711)'],
  ]);
  expect(listed).toHaveLength(10);
  // An older save of a file is under a newer one.
  expect(listed.map(({ canUndo }) => canUndo).slice(0, 3)).toEqual([true, true, false]);
  await undo({ saved: listed[1] as Save });
  expect((await saves())[1]).toMatchObject({ after: '![Quay 10](media:4711)', canUndo: true });
  await undo(last);
  expect(String(await read('f.json'))).toBe(sources['f.json']);
});

test.each(Object.entries(sources))('a text is left to the record in %s', async (file, text) => {
  await write(file, text);
  const { place } = await save(await placeIn(file), { alt: 'A quay' });
  expect(String(await read(file))).toContain('A quay');
  await save(place, { alt: null });
  const now = String(await read(file));
  expect(now).not.toMatch(/alt|Quay|quay/);
  expect(now).toContain('4711');
});

// An image's alt text in Markdown can't have line breaks.
const withTexts = Object.entries(sources).filter(([file]) => file !== 'c.md');

test.each(withTexts)('%s gets an alt text that is code as a text', async (file, text) => {
  await write(file, text);
  const alt = `"'}}>\n---\n<script>${code}\\ \u2028 &quot; \${1}`;
  await save(await placeIn(file), { alt });
  const [found] = await findPlaces({ file, text: String(await read(file)) });
  expect(found?.props.alt).toBe(alt);
});

test('a file has the text of the first of two saves at once, and never a mixture', async () => {
  const file = 'd.md';
  await write(file, sources[file]);
  const place = await placeIn(file);
  for (let turn = 0; turn < 100; turn += 1) {
    await write(file, sources[file]);
    const saves = [{ crop }, { crop: { ...crop, x: 1_000_000 } }].map((change) =>
      save(place, change).then(
        () => 'saved',
        ({ code }) => code,
      ),
    );
    expect(await Promise.all(saves)).toEqual(['saved', 'source-changed']);
    const [found] = await findPlaces({ file, text: String(await read(file)) });
    expect(found?.props).toMatchObject({ id: 4711, crop });
  }
  expect((await readdir(root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test("an editor's own save during a save is never lost", async () => {
  const file = 'c.md';
  const [before, own] = ['![Quay](media:4711)\n', '![Quay](media:4711)\n\nNew text.\n'];
  const ends = { saved: 0, 'source-changed': 0 };
  for (let turn = 0; turn < 200; turn += 1) {
    await write(file, before);
    const saved = save(await placeIn(file), { crop }).then(
      () => 'saved',
      ({ code }) => code,
    );
    if (turn % 20 === 19) await saved;
    for (let tick = 0; tick < turn; tick += 1) await new Promise(setImmediate);
    const seen = String(await read(file));
    // An editor that has the file open writes what it shows, or asks if the file has changed.
    const isUnchanged = seen === before;
    if (isUnchanged) await write(file, own);
    const end = await saved;
    const now = String(await read(file));
    if (isUnchanged && end === 'source-changed') expect(now).toBe(own);
    ends[end as keyof typeof ends] += 1;
  }
  expect(ends.saved).toBeGreaterThanOrEqual(10);
  expect(ends['source-changed']).toBeGreaterThan(0);
  expect(ends.saved + ends['source-changed']).toBe(200);
  expect((await readdir(root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a file gets a focus without the aspect, which a preset can have', async () => {
  await write('c.md', sources['c.md']);
  await save(await placeIn('c.md'), { focus: { x: 0.3, y: 0.5 } });
  expect(String(await read('c.md'))).toBe('![Quay](media:4711?focus=0.3,0.5)\n');
});

test('a file in another encoding is refused, and stays', async () => {
  const bytes = Buffer.from('![Quai café](media:4711)', 'latin1');
  await write('a.md', bytes);
  await expect(save(await placeIn('a.md'), { crop })).rejects.toMatchObject({
    code: 'source-unreadable',
    message: "a.md can't be parsed: it isn't UTF-8.",
  });
  expect((await read('a.md')).equals(bytes)).toBe(true);
});

test('a number alone becomes a map with what it gets, and can be changed again', async () => {
  await write('n.md', '---\nhero: 4711 # the quay\nviews: 4711\n---\n');
  const { place: second } = await save(await placeIn('n.md', 4711), { id: 4712 });
  expect(String(await read('n.md'))).toContain('hero: 4712 # the quay\nviews: 4711');
  const { place: third } = await save(second, { alt: 'A quay', crop });
  const map = '{ id: 4712, crop: { x: 1, y: 2, width: 30, height: 40 }, alt: A quay }';
  expect(String(await read('n.md'))).toContain(`hero: ${map} # the quay\nviews: 4711`);
  expect(third.number).toBeUndefined();
});

test('a read-only file stays, and the mode of another one too', async () => {
  await write('c.md', sources['c.md']);
  const place = await placeIn('c.md');
  await chmod(join(root, 'c.md'), 0o444);
  await expect(save(place, { crop })).rejects.toMatchObject({ code: 'source-read-only' });
  expect(String(await read('c.md'))).toBe(sources['c.md']);
  await chmod(join(root, 'c.md'), 0o664);
  await save(place, { crop });
  expect(((await stat(join(root, 'c.md'))).mode & 0o777).toString(8)).toBe('664');
});

test.skipIf(process.getuid?.() !== 0).each([
  [65534, 0],
  [0, 65534],
  [65534, 65534],
])('a file keeps its owner %i and its group %i', async (uid, gid) => {
  await write('c.md', sources['c.md']);
  await chown(join(root, 'c.md'), uid, gid);
  await save(await placeIn('c.md'), { crop });
  expect(await stat(join(root, 'c.md'))).toMatchObject({ uid, gid });
});

import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../../src/authoring/toolbar/library.ts';
import type { PlacesAnswer, ProblemAnswer } from '../../../src/authoring/toolbar/protocol.ts';
import { toolbarMiddleware } from '../../../src/authoring/toolbar/toolbar-middleware.ts';
import { toolbarAnswers } from '../../../src/authoring/toolbar/toolbar-server.ts';
import { type LocalServer, startLocalServer } from '../../support/service/local-server.ts';

const page = `---
import { MediaAsset } from 'astro-media-asset/components';
---
<MediaAsset id={4711} alt="The quay" />
`;
const tag = '<MediaAsset id={4711} alt="The quay" />';
const file = 'src/pages/index.astro';
const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const start = page.indexOf(tag);
const place = { file, line: 4, column: 1, kind: 'component', start, hash: hashOf(page) };
const crop = { x: 1, y: 2, width: 30, height: 40 };
const cropped = page.replace('{4711}', '{4711} crop={{ x: 1, y: 2, width: 30, height: 40 }}');

let root: string;
let server: LocalServer;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolbar-'));
  root = join(folder, 'site');
  await write('package.json', '{}');
  await write(file, page);
  const images = { preview: async () => Buffer.from('an image') };
  const project = { root, srcDir: 'src' };
  const answers = toolbarAnswers(images, { library: {} as Library, project });
  const middleware = toolbarMiddleware(answers);
  server = await startLocalServer((request, response) => {
    middleware(request, response, () => void response.writeHead(204).end());
  });
});

afterEach(async () => {
  await server.close();
  await rm(dirname(root), { recursive: true, force: true });
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

function send(path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/_media-asset/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-media-asset-toolbar': '1', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

async function bodyOf<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

test('saves a crop', async () => {
  const response = await send('save.json', { place, change: { crop } });
  expect(response.status).toBe(200);
  expect(await readFile(join(root, file), 'utf8')).toBe(cropped);
});

describe('inserts', () => {
  const note = 'src/note.md';
  const block = { file: note, line: 1, start: 0, hash: hashOf('One\n') };
  const insert = (image: object, other: object = {}) =>
    send('insert.json', { block: { ...block, ...other }, isAfter: true, image });

  beforeEach(() => write(note, 'One\n'));

  test('an image, and answers with its file and line', async () => {
    expect(await bodyOf(await insert({ id: 4711, crop }))).toEqual({ file: note, line: 3 });
    const text = 'One\n\n![](media:4711?crop=1,2,30,40)\n';
    expect(await readFile(join(root, note), 'utf8')).toBe(text);
    // A second click has the place of before.
    expect((await insert({ id: 4711, crop })).status).toBe(409);
    expect(await readFile(join(root, note), 'utf8')).toBe(text);
  });

  test.each<[string, number, string, object, object?]>([
    ['if the file has changed', 409, 'source-changed', { id: 4711 }, { hash: hashOf('') }],
    ['within a block', 409, 'source-unsafe', { id: 4711 }, { start: 1 }],
    ['outside of the project', 403, 'source-outside', { id: 4711 }, { file: '../note.md' }],
    ['into a component', 409, 'source-unsafe', { id: 4711 }, { file, hash: hashOf(page) }],
    ['with an impossible crop', 404, 'crop-invalid', { id: 4711, crop: { ...crop, x: -1 } }],
    ['with another key', 400, 'toolbar-request-invalid', { id: 4711, ')![x](y)': 1 }],
    ['with code as an ID', 400, 'toolbar-request-invalid', { id: '1) <b>' }],
    ['into a read-only file', 409, 'source-read-only', { id: 4711 }],
  ])('nothing %s', async (_, status, code, image, other) => {
    if (code === 'source-read-only') await chmod(join(root, note), 0o444);
    const response = await insert(image, other);
    const { error } = await bodyOf<ProblemAnswer>(response);
    expect([response.status, error.code]).toEqual([status, code]);
    // That's for terminals.
    expect(error.hint).not.toContain('npx media-asset explain');
    expect(await readFile(join(root, note), 'utf8')).toBe('One\n');
    expect(await readFile(join(root, file), 'utf8')).toBe(page);
  });
});

test('passes on requests of other paths', async () => {
  expect((await fetch(`${server.url}/about/`)).status).toBe(204);
});

describe('writes nothing', () => {
  const save = { place, change: { crop } };
  const at = (other: object) => ({ ...save, place: { ...place, ...other } });

  afterEach(async () => {
    expect(await readFile(join(root, file), 'utf8')).toBe(page);
  });

  test.each<[string, number, string, unknown, Record<string, string>]>([
    ['if the file has changed', 409, 'source-changed', at({ hash: hashOf('') }), {}],
    ['at another position', 409, 'source-changed', at({ start: start + 1 }), {}],
    ['for a place with more keys', 400, 'toolbar-request-invalid', at({ form: {} }), {}],
    [
      'for a crop with more keys',
      400,
      'toolbar-request-invalid',
      { place, change: { crop: { ...crop, '}} onload={alert(1)} x={{ a': 1 } } },
      {},
    ],
    ['for a form', 400, 'toolbar-request-invalid', save, { 'content-type': 'text/plain' }],
    ['for a body above 64 KB', 400, 'toolbar-request-invalid', ' '.repeat(70_000), {}],
    ['for text', 400, 'toolbar-request-invalid', 'crop', {}],
    ['for an unknown prop', 400, 'toolbar-request-invalid', { place, change: { src: 'x' } }, {}],
    [
      'for an impossible crop',
      404,
      'crop-invalid',
      { place, change: { crop: { ...crop, x: -1 } } },
      {},
    ],
    ['outside of the project', 403, 'source-outside', at({ file: '../other.astro' }), {}],
    ['in a file that is missing', 403, 'source-outside', at({ file: 'src/no.astro' }), {}],
    ['in node_modules', 403, 'source-outside', at({ file: 'node_modules/a/a.astro' }), {}],
    ['in a hidden folder', 403, 'source-outside', at({ file: '.astro/a.astro' }), {}],
    ['in a file of another kind', 403, 'source-outside', at({ file: 'package.json.bak' }), {}],
    ['in a file of more than 2 MB', 403, 'source-outside', at({ file: 'large.astro' }), {}],
    ['through a symbolic link', 403, 'source-outside', at({ file: 'src/link.astro' }), {}],
  ])('%s', async (_, status, code, body, headers) => {
    const outside = join(dirname(root), 'other.astro');
    await writeFile(outside, page);
    await symlink(outside, join(root, 'src/link.astro'));
    await writeFile(join(root, 'large.astro'), page + ' '.repeat(2 * 1024 ** 2));
    for (const copy of ['node_modules/a/a.astro', '.astro/a.astro', 'package.json.bak']) {
      await mkdir(dirname(join(root, copy)), { recursive: true });
      await cp(outside, join(root, copy));
    }
    const response = await send('save.json', body, headers);
    const { error } = await bodyOf<ProblemAnswer>(response);
    expect([response.status, error.code]).toEqual([status, code]);
    for (const copy of [outside, join(root, 'node_modules/a/a.astro')]) {
      expect(await readFile(copy, 'utf8')).toBe(page);
    }
  });
});

describe('places', () => {
  const shown = { id: 4711, place: { file, line: 4, column: 1 } };
  const placesOf = async (asset: object) => bodyOf<PlacesAnswer>(await send('places.json', asset));

  test('are where the page calls the component', async () => {
    expect(await placesOf(shown)).toEqual({
      places: [{ ...place, isAltFixed: false }],
      isCall: true,
    });
  });

  test.each([
    ['a Markdown file', 'src/content/quay.md', '---\nhero: media:4711\n---\n', 2],
    ['a data file', 'src/data/team.json', '[{ "hero": { "id": 4711 } }]', 1],
  ])('are in %s if the component has the props of an entry', async (_, path, text, line) => {
    await write(file, page.replace(tag, '<MediaAsset {...Astro.props.hero} alt="" />'));
    await write(path, text);
    expect(await placesOf(shown)).toMatchObject({ places: [{ file: path, line }], isCall: false });
  });

  test('are in MDX, whose components have no call site', async () => {
    const tags = ['id={4711} crop={wide}', 'id={4712}', 'id={4711}'].map(
      (props) => `<MediaAsset ${props} alt="" />\n`,
    );
    await write('src/content/quay.mdx', tags.join('\n'));
    const { places } = await placesOf({ ...shown, place: undefined });
    expect(places).toMatchObject([{ file: 'src/content/quay.mdx', line: 5, kind: 'component' }]);
  });

  test('with a number alone say so', async () => {
    await write(file, page.replace(tag, '<MediaAsset {...Astro.props.hero} alt="" />'));
    await write('src/content/quay.md', '---\nhero: 4711\n---\n');
    const { places, isCall } = await placesOf(shown);
    expect(isCall).toBe(false);
    expect(places).toMatchObject([{ file: 'src/content/quay.md', line: 2, number: 4711 }]);
  });

  test('are a question if a line has several', async () => {
    const image = '![Quay](media:4711)';
    await write('src/content/quay.md', `${image} ${image}\n`);
    const line = { file: 'src/content/quay.md', line: 1 };
    const { places, isCall } = await placesOf({ id: 4711, place: line });
    expect([places.map(({ column }) => column), isCall]).toEqual([[1, 21], false]);
  });

  test('are none for a computed asset, with what the author can do', async () => {
    await write(file, page.replace('{4711}', '{quay}'));
    const { places, notice } = await placesOf(shown);
    expect(places).toEqual([]);
    expect(notice?.message).toBe(
      `${file}:4 sets the image with code (\`id\`), so the toolbar can't change it.`,
    );
  });
});

test('serves previews in two widths', async () => {
  const response = await send('image.webp?id=4711&width=320');
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(await response.text()).toBe('an image');
  expect((await send('image.webp?id=4711&width=9000')).status).toBe(400);
});

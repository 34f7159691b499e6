import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Library } from '../../../src/authoring/toolbar/library.ts';
import type { Notice } from '../../../src/authoring/toolbar/protocol.ts';
import { toolbarAnswers } from '../../../src/authoring/toolbar/toolbar-answers.ts';
import { toolbarMiddleware } from '../../../src/authoring/toolbar/toolbar-middleware.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
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
  root = join(await temporaryFolder('toolbar'), 'site');
  await write('package.json', '{}');
  await write(file, page);
  const images = {
    async preview(id: number) {
      if (id === 4711) return Buffer.from('an image');
      throw mediaAssetError('service-unreachable', { call: 'GET /1/file', reason: 'ECONNRESET' });
    },
  };
  const project = { root, srcDir: 'src' };
  const answers = toolbarAnswers(images, {
    library: { noteUse() {} } as unknown as Library,
    upload: {} as never,
    project,
  });
  const middleware = toolbarMiddleware(answers);
  server = await startLocalServer((request, response) => {
    middleware(request, response, () => void response.writeHead(204).end());
  });
});

afterEach(() => server.close());

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

/** The status and the code of an error. */
async function problemOf(response: Response): Promise<[status: number, code: string]> {
  const { error } = (await response.json()) as { error: Notice };
  // That's for terminals.
  expect(error.hint).not.toContain('npx --no media-asset explain');
  return [response.status, error.code];
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
    send('insert.json', { block: { ...block, ...other }, isAfter: true, images: [image] });

  beforeEach(() => write(note, 'One\n'));

  test('an image, and answers with its file and line', async () => {
    const response = await insert({ id: 4711, crop });
    expect(await response.json()).toEqual({ file: note, line: 3, save: 1 });
    const text = 'One\n\n![](media:4711?crop=1,2,30,40)\n';
    expect(await readFile(join(root, note), 'utf8')).toBe(text);
    // A second click has the place of before.
    expect((await insert({ id: 4711, crop })).status).toBe(409);
    expect(await readFile(join(root, note), 'utf8')).toBe(text);
  });

  test.each<[string, number, string, object, object?]>([
    ['if the file has changed', 409, 'source-changed', { id: 4711 }, { hash: hashOf('') }],
    ['outside of the project', 409, 'source-outside', { id: 4711 }, { file: '../note.md' }],
    ['into a component', 409, 'source-unsafe', { id: 4711 }, { file, hash: hashOf(page) }],
    ['with an impossible crop', 409, 'crop-invalid', { id: 4711, crop: { ...crop, x: -1 } }],
    ['with another key', 400, 'toolbar-request-invalid', { id: 4711, ')![x](y)': 1 }],
    ['with code as an ID', 400, 'toolbar-request-invalid', { id: '1) <b>' }],
    ['into a read-only file', 409, 'source-read-only', { id: 4711 }],
  ])('nothing %s', async (_, status, code, image, other) => {
    if (code === 'source-read-only') await chmod(join(root, note), 0o444);
    expect(await problemOf(await insert(image, other))).toEqual([status, code]);
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

  const changed = (change: object) => ({ place, change });
  const injected = { crop: { ...crop, '}} onload={alert(1)} x={{ a': 1 } };
  const invalid = 'toolbar-request-invalid';

  test.each<[string, number, string, unknown, Record<string, string>?]>([
    ['if the file has changed', 409, 'source-changed', at({ hash: hashOf('') })],
    ['at another position', 409, 'source-changed', at({ start: start + 1 })],
    ['for a place with more keys', 400, invalid, at({ form: {} })],
    ['for a crop with more keys', 400, invalid, changed(injected)],
    ['for a form', 400, invalid, save, { 'content-type': 'text/plain' }],
    ['for a body above 64 KB', 400, invalid, ' '.repeat(70_000)],
    ['for text', 400, invalid, 'crop'],
    ['for an unknown prop', 400, invalid, changed({ src: 'x' })],
    ['for an impossible crop', 409, 'crop-invalid', changed({ crop: { ...crop, x: -1 } })],
    ['outside of the project', 409, 'source-outside', at({ file: '../other.astro' })],
    ['in a file that is missing', 409, 'source-outside', at({ file: 'src/no.astro' })],
    ['in node_modules', 409, 'source-outside', at({ file: 'node_modules/a/a.astro' })],
    ['in a hidden folder', 409, 'source-outside', at({ file: '.astro/a.astro' })],
    ['in a file of another kind', 409, 'source-outside', at({ file: 'package.json.bak' })],
    ['in a file of more than 2 MB', 409, 'source-outside', at({ file: 'large.astro' })],
    ['through a symbolic link', 409, 'source-outside', at({ file: 'src/link.astro' })],
  ])('%s', async (_, status, code, body, headers) => {
    const outside = join(dirname(root), 'other.astro');
    await writeFile(outside, page);
    await symlink(outside, join(root, 'src/link.astro'));
    await writeFile(join(root, 'large.astro'), page + ' '.repeat(2 * 1024 ** 2));
    for (const copy of ['node_modules/a/a.astro', '.astro/a.astro', 'package.json.bak']) {
      await mkdir(dirname(join(root, copy)), { recursive: true });
      await cp(outside, join(root, copy));
    }
    expect(await problemOf(await send('save.json', body, headers))).toEqual([status, code]);
    for (const copy of [outside, join(root, 'node_modules/a/a.astro')]) {
      expect(await readFile(copy, 'utf8')).toBe(page);
    }
  });
});

test('finds the place where a page calls the component', async () => {
  const response = await send('places.json', { id: 4711, place: { file, line: 4, column: 1 } });
  const places = [{ ...place, isAltFixed: false }];
  expect(await response.json()).toEqual({ places, isCall: true });
});

test('tells an author about an outage without technical words first', async () => {
  const response = await send('image.webp?id=4712&width=320');
  const { error } = (await response.json()) as { error: Notice };
  expect([response.status, error.code]).toEqual([409, 'service-unreachable']);
  expect(error.message).toBe("The media service can't be reached. Your work is kept.");
  expect(error.hint).toContain('ECONNRESET');
});

test('serves previews in two widths', async () => {
  const response = await send('image.webp?id=4711&width=320');
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(await response.text()).toBe('an image');
  expect((await send('image.webp?id=4711&width=9000')).status).toBe(400);
});

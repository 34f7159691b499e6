import { mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { drawTestImages } from '../../support/images/test-images.ts';
import { startEmulatorProcess } from '../../support/service/emulator-process.ts';
import { startService } from '../../support/service/start-service.ts';

const changed = new Date('2026-03-04T05:06:07.890Z');

const emulator = await startService([{ path: 'a/quay.jpg', width: 300, height: 200 }]);
const media = emulator.mediaDir;
await writeFile(join(media, 'b empty.txt'), '');
await writeFile(join(media, "c 100% “Zoë's” \\ plan.PDF"), 'not really a plan');
await writeFile(join(media, 'd.unknown'), 'x');
await utimes(join(media, 'a/quay.jpg'), changed, changed);

describe('an original', () => {
  test("has the file's bytes, type, length, name and validators", async () => {
    const file = await readFile(join(media, 'a/quay.jpg'));
    const response = await emulator.fetch('/1/file/4711/download/0');
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(file);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(file.length),
      'content-disposition': "attachment; filename*=UTF-8''quay.jpg",
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'last-modified': 'Wed, 04 Mar 2026 05:06:07 GMT',
    });
  });

  test.each([
    [4712, 'text/plain; charset=utf-8', "filename*=UTF-8''b%20empty.txt"],
    [
      4713,
      'application/pdf',
      `filename*=UTF-8''c%20100%25%20%E2%80%9CZo%C3%AB%27s%E2%80%9D%20%5C%20plan.PDF`,
    ],
    [4714, 'application/octet-stream', "filename*=UTF-8''d.unknown"],
  ])('%i has the type and name of its file', async (id, type, name) => {
    const response = await emulator.fetch(`/1/file/${id}/download/0`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe(type);
    expect(response.headers.get('Content-Disposition')).toContain(name);
    expect(String((await response.arrayBuffer()).byteLength)).toBe(
      response.headers.get('Content-Length'),
    );
  });

  test('answers HEAD with the same headers and no body', async () => {
    const response = await emulator.fetch('/1/file/4711/download/0', { method: 'HEAD' });
    const { size } = await (await emulator.fetch('/1/file/4711/download/0')).blob();
    expect(response.headers.get('Content-Length')).toBe(String(size));
    expect(await response.text()).toBe('');
  });

  test('gets a new ETag when its file changes, even with the same size and time', async () => {
    const path = join(media, 'd.unknown');
    const tags: (string | null)[] = [];
    for (const text of ['1', '2']) {
      await writeFile(path, text);
      await utimes(path, changed, changed);
      const response = await emulator.fetch('/1/file/4714/download/0');
      expect(await response.text()).toBe(text);
      tags.push(response.headers.get('ETag'));
      // The clock of a file system has steps of a few milliseconds.
      await setTimeout(20);
    }
    expect(tags[1]).not.toBe(tags[0]);
  });
});

describe('a conditional request', () => {
  const before = 'Wed, 04 Mar 2026 05:06:06 GMT';
  const same = 'Wed, 04 Mar 2026 05:06:07 GMT';
  test.each([
    ['the ETag', (tag: string) => ({ 'If-None-Match': tag }), 304],
    ['the ETag, weak, in a list', (tag: string) => ({ 'If-None-Match': `"x", W/${tag}` }), 304],
    ['any ETag', () => ({ 'If-None-Match': '*' }), 304],
    ['another ETag', () => ({ 'If-None-Match': '"x"' }), 200],
    ['the same date', () => ({ 'If-Modified-Since': same }), 304],
    ['an earlier date', () => ({ 'If-Modified-Since': before }), 200],
    ['no date', () => ({ 'If-Modified-Since': 'yesterday' }), 200],
    [
      'another ETag and the same date',
      () => ({ 'If-None-Match': '"x"', 'If-Modified-Since': same }),
      200,
    ],
  ])('with %s', async (_, headersFor, status) => {
    const first = await emulator.fetch('/1/file/4711/download/0', { method: 'HEAD' });
    const headers = headersFor(first.headers.get('ETag') ?? '') as Record<string, string>;
    const response = await emulator.fetch('/1/file/4711/download/0', { headers });
    const size = (await response.arrayBuffer()).byteLength;
    expect(response.status).toBe(status);
    expect(response.headers.get('ETag')).toBe(first.headers.get('ETag'));
    expect(size === 0).toBe(status === 304);
  });
});

describe('unserved paths', () => {
  test.each([
    '/1/file/1/download/0',
    '/1/file/0/download/0',
    '/1/file/-4711/download/0',
    '/1/file/04711/download/0',
    '/1/file/4711.0/download/0',
    '/1/file/99999999999999999999/download/0',
    '/1/file/..%2f..%2fetc%2fpasswd/download/0',
    '/1/file/4711/download/1',
    '/1/file/4711/download/0/',
    '/1/folders',
  ])('%s answers 404', async (path) => {
    const response = await emulator.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: { code: expect.stringMatching(/^(file|path)-unknown$/), message: expect.any(String) },
    });
  });

  test('include symbolic links and names with a leading dot', async () => {
    const outside = await drawTestImages([{ path: 'secret.png', width: 9, height: 9 }]);
    const inside = await drawTestImages([{ path: 'b/quay.png', width: 9, height: 9 }]);
    await symlink(join(outside, 'secret.png'), join(inside, 'a.png'));
    await symlink(outside, join(inside, 'c'));
    await writeFile(join(inside, '.hidden'), 'x');
    const other = await startEmulatorProcess({ media: inside });
    const status = async (id: number) => {
      const response = await other.fetch(`/1/file/${id}/download/0`);
      await response.arrayBuffer();
      return response.status;
    };
    expect([await status(4711), await status(4712)]).toEqual([200, 404]);

    await rm(join(inside, 'b'), { recursive: true });
    await mkdir(join(outside, 'b'));
    await writeFile(join(outside, 'b/quay.png'), 'from outside');
    await symlink(join(outside, 'b'), join(inside, 'b'));
    expect(await status(4711)).toBe(404);
    await other.stop();
    await Promise.all([inside, outside].map((folder) => rm(folder, { recursive: true })));
  });
});

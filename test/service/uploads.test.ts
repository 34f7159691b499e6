import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UploadError, type UploadFile, type UploadProgress } from '../../src/service/index.ts';
import {
  clientOf,
  failureOf,
  hangUp,
  inTurn,
  json,
  ok,
  type Respond,
  serve,
  status,
} from './scripted-service.ts';

let folder: string;
let path: string;
const content = randomBytes(200_000);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  path = join(folder, 'harbour light.jpg');
  await writeFile(path, content);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const record = { id: 812, uploadURL: '/1/upload/812?signature=s3cr3t-signature' };

/** Answers the steps of an upload by their paths. */
function steps(answers: { record?: Respond; content?: Respond; update?: Respond }): Respond {
  return (response, request) => {
    if (request.method === 'PUT') return (answers.update ?? ok)(response, request);
    const isRecord = request.url === '/1/file';
    const made: Respond = (to) => json(to, record);
    return (isRecord ? (answers.record ?? made) : (answers.content ?? ok))(response, request);
  };
}

const paths = (requests: readonly { method: string; url: string }[]) =>
  requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`);

async function* inParts(parts: readonly Uint8Array[]) {
  yield* parts;
}

describe('an upload', () => {
  test.for<[string, () => UploadFile, string | undefined]>([
    ['a path', () => path, undefined],
    ['a file: URL', () => pathToFileURL(path), undefined],
    ['bytes', () => content, 'harbour light.jpg'],
    [
      'a web stream',
      () => ({ stream: new Blob([content]).stream(), size: content.length }),
      'harbour light.jpg',
    ],
    [
      'an async iterable',
      () => ({
        stream: inParts([content.subarray(0, 7), content.subarray(7)]),
        size: content.length,
      }),
      'harbour light.jpg',
    ],
  ])('sends %s in two steps, with its size and its progress', async ([, file, filename]) => {
    const service = await serve({ respond: steps({}) });
    const seen: UploadProgress[] = [];
    const uploaded = await clientOf(service.url).files.upload(
      file(),
      { folder: 3, ...(filename && { filename }) },
      { onProgress: (progress) => seen.push(progress) },
    );
    expect(uploaded).toEqual({ id: 812 });
    expect(paths(service.requests)).toEqual(['POST /1/file', 'POST /1/upload/812']);
    const [first, second] = service.requests;
    expect(JSON.parse(first?.body ?? '')).toEqual({
      filename: 'harbour light.jpg',
      size: content.length,
      folder: 3,
    });
    expect(second?.headers).toMatchObject({
      'content-length': String(content.length),
      authorization: 'Bearer token-1',
    });
    expect(second?.headers['transfer-encoding']).toBeUndefined();
    expect(second?.bytes.equals(content)).toBe(true);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toEqual({ sent: content.length, size: content.length });
  });

  test('of an empty file sends no bytes', async () => {
    const service = await serve({ respond: steps({}) });
    await clientOf(service.url).files.upload(new Uint8Array(), { filename: 'a.txt', folder: 3 });
    expect(service.requests[1]?.headers['content-length']).toBe('0');
  });

  test.for<[string, unknown, string, number | undefined]>([
    ['an object', record, '/1/upload/812', 812],
    ['an array of one', [record], '/1/upload/812', 812],
    ['an id as text', { ...record, id: '812' }, '/1/upload/812', 812],
    ['no id', { uploadURL: '/up' }, '/up', undefined],
    ['an address relative to the call', { uploadURL: 'up/9' }, '/1/up/9', undefined],
  ])('reads %s', async ([, answer, target, id]) => {
    const service = await serve({ respond: steps({ record: (to) => json(to, answer) }) });
    const uploaded = await clientOf(service.url).files.upload(path, { folder: 0 });
    expect(uploaded).toEqual({ id });
    expect(paths(service.requests)[1]).toBe(`POST ${target}`);
  });

  test('takes the id from the answer to its content where the first answer has none', async () => {
    const service = await serve({
      respond: steps({
        record: (to) => json(to, { uploadURL: '/up' }),
        content: (to) => json(to, [{ id: 5 }]),
      }),
    });
    expect(await clientOf(service.url).files.upload(path, { folder: 0 })).toEqual({ id: 5 });
  });

  test('goes to another host with the token', async () => {
    const other = await serve({});
    const uploadURL = `${other.url}/store/812`;
    const service = await serve({ respond: steps({ record: (to) => json(to, { uploadURL }) }) });
    await clientOf(service.url).files.upload(path, { folder: 3 });
    expect(other.requests[0]?.headers.authorization).toBe('Bearer token-1');
  });

  test('names its metadata as the service does', async () => {
    const service = await serve({ respond: steps({}) });
    const uploadFields = { filename: 'fileName', size: 'fileSize', folder: 'parent' };
    await clientOf(service.url, { uploadFields }).files.upload(path, { folder: 3 });
    expect(service.requests[0]?.body).toBe(
      '{"fileName":"harbour light.jpg","fileSize":200000,"parent":3}',
    );
  });

  test('changes further metadata once the content is there', async () => {
    const service = await serve({ respond: steps({}) });
    const fields = { alttext: 'The light' };
    await clientOf(service.url).files.upload(path, { folder: 3, fields });
    expect(paths(service.requests)[2]).toBe('PUT /1/file/812');
    expect(service.requests[2]?.body).toBe('{"alttext":"The light"}');
  });

  test('is not cut off while it moves, however long it takes', async () => {
    const service = await serve({ respond: steps({}) });
    async function* slowly() {
      for (let part = 0; part < 6; part += 1) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        yield new Uint8Array(10);
      }
    }
    const client = clientOf(service.url, { timeLimit: 200, deadline: 250 });
    const file = { stream: slowly(), size: 60 };
    await client.files.upload(file, { filename: 'a.bin', folder: 3 });
    expect(service.requests[1]?.bytes).toHaveLength(60);
  });
});

describe('the record', () => {
  test.for<[string, Respond, object]>([
    ['a lost answer', hangUp, {}],
    ['503', status(503), { status: 503 }],
    ['an HTML page', (to) => void to.end('<!doctype html><title>Back soon</title>'), {}],
    ['no uploadURL', (to) => json(to, { id: 4 }), {}],
    ['an uploadURL that is no text', (to) => json(to, { uploadURL: 12 }), {}],
    ['two records', (to) => json(to, [record, record]), {}],
  ])('is not asked for twice after %s, and the error says so', async ([, respond, found]) => {
    const service = await serve({ respond: steps({ record: inTurn(respond) }) });
    const error = await failureOf(clientOf(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'upload-unanswered', effect: 'unknown', ...found });
    expect((error as Error).message).toContain(path);
    expect(service.requests).toHaveLength(1);
  });

  test('is asked for again after 429, and refused with the answer of the service', async () => {
    const service = await serve({
      respond: steps({ record: inTurn(status(429), status(404)) }),
    });
    const error = await failureOf(clientOf(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'request-refused', status: 404, effect: 'none' });
    expect(service.requests).toHaveLength(2);
  });
});

describe('an uploadURL', () => {
  test.for([
    ['http://files.example/up?token=t0ken', 'http://files.example', 'it is not https'],
    ['https://10.0.0.8/up', 'https://10.0.0.8', 'the host is not a public one'],
    ['https://intern.example/up', 'https://intern.example', 'the host is not a public one'],
    ['https://me:s3cr3t@files.example/', 'https://files.example', 'credentials'],
    ['file:///etc/passwd', 'file://', 'it is not https'],
    ['https://', 'an unreadable address', 'no URL'],
  ])('%s gets neither the file nor the token', async ([uploadURL, target, reason]) => {
    const service = await serve({
      respond: steps({ record: (to) => json(to, { id: 812, uploadURL }) }),
    });
    const client = clientOf(service.url, { lookup: async () => ['192.168.1.4'] });
    const error = await failureOf(client.files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'upload-url-refused' });
    expect((error as Error).message).toContain(target);
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).toContain('asset 812 exists in the service');
    expect(inspect(error)).not.toMatch(/t0ken|s3cr3t/);
    expect(service.requests).toHaveLength(1);
  });

  test('that redirects is not followed', async () => {
    const content = status(307, { location: 'https://files.example/' });
    const service = await serve({ respond: steps({ content }) });
    const error = await failureOf(clientOf(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'upload-incomplete', cause: { code: 'redirect-refused' } });
  });
});

describe('content that does not arrive', () => {
  test('names the file and the record, shows no address, and goes on in the same record', async () => {
    const service = await serve({
      respond: steps({ content: inTurn(status(403), ok), update: ok }),
    });
    const { files } = clientOf(service.url);
    const metadata = { folder: 3, fields: { alttext: 'The light' } };
    const error = await failureOf(files.upload(path, metadata));
    if (!(error instanceof UploadError)) throw error;
    expect(error).toMatchObject({ code: 'upload-incomplete', status: 403 });
    expect(error.message).toContain(path);
    expect(error.message).toContain('asset 812 exists');
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('s3cr3t-signature');

    const resume = JSON.parse(JSON.stringify(error.resume));
    expect(await files.upload(path, metadata, { resume })).toEqual({ id: 812 });
    expect(paths(service.requests)).toEqual([
      'POST /1/file',
      'POST /1/upload/812',
      'POST /1/upload/812',
      'PUT /1/file/812',
    ]);
  });

  test('is sent again from its start after a failure that passes', async () => {
    const service = await serve({
      respond: steps({ content: inTurn(hangUp, status(503), status(401), ok) }),
    });
    await clientOf(service.url).files.upload(path, { folder: 3 });
    const sent = service.requests.slice(1).map(({ bytes }) => bytes.equals(content));
    expect(sent).toEqual([true, true, true, true]);
  });

  test('of a stream is not sent again once its bytes have gone out', async () => {
    const service = await serve({ respond: steps({ content: inTurn(status(503), ok) }) });
    const file = { stream: inParts([content]), size: content.length };
    const work = clientOf(service.url).files.upload(file, { filename: 'a.jpg', folder: 3 });
    expect(await failureOf(work)).toMatchObject({ code: 'upload-incomplete', status: 503 });
    expect(service.requests).toHaveLength(2);
  });

  test('counts as there where the service says so and has the file', async () => {
    const original: Respond = (to) => void to.end(content);
    const answers = steps({ content: inTurn(hangUp, status(409)) });
    const again = await serve({
      respond: (to, request) =>
        request.method === 'GET' ? original(to, request) : answers(to, request),
    });
    expect(await clientOf(again.url).files.upload(path, { folder: 3 })).toEqual({ id: 812 });
    expect(paths(again.requests).at(-1)).toBe('GET /1/file/812/download/0');
  });

  test('is refused by 409 where nothing was sent before', async () => {
    const service = await serve({ respond: steps({ content: status(409) }) });
    const error = await failureOf(clientOf(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'upload-incomplete', status: 409 });
    expect(service.requests).toHaveLength(2);
  });

  test('leaves the metadata to be changed alone where only that failed', async () => {
    const service = await serve({ respond: steps({ update: inTurn(status(400), ok) }) });
    const { files } = clientOf(service.url);
    const metadata = { folder: 3, fields: { alttext: 'The light' } };
    const error = await failureOf(files.upload(path, metadata));
    expect(error).toMatchObject({ code: 'upload-not-updated', status: 400 });
    const { resume } = error as UploadError;
    expect(resume.uploaded).toBe(true);
    await files.upload(path, metadata, { resume });
    expect(paths(service.requests).slice(2)).toEqual(['PUT /1/file/812', 'PUT /1/file/812']);
  });

  test('ends with its signal, and can go on', async () => {
    const controller = new AbortController();
    const service = await serve({ respond: steps({}) });
    const { files } = clientOf(service.url);
    const work = files.upload(
      path,
      { folder: 3 },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    const error = await failureOf(work);
    expect(error).toMatchObject({ code: 'upload-incomplete', cause: { code: 'call-ended' } });
    const { resume } = error as UploadError;
    expect(await files.upload(path, { folder: 3 }, { resume })).toEqual({ id: 812 });
  });

  test('is not begun where its signal has fired', async () => {
    const service = await serve({ respond: steps({}) });
    const work = clientOf(service.url).files.upload(
      path,
      { folder: 3 },
      { signal: AbortSignal.abort() },
    );
    expect(await failureOf(work)).toMatchObject({ code: 'call-ended', effect: 'none' });
    expect(service.requests).toEqual([]);
  });
});

describe('a file that changes while it is uploaded', () => {
  test('and grows is an error, and its content never complete', async () => {
    const file = join(folder, 'growing.bin');
    await writeFile(file, content);
    const service = await serve({ respond: steps({}) });
    let changed = false;
    const work = clientOf(service.url).files.upload(
      file,
      { folder: 3 },
      {
        onProgress: () => {
          if (!changed) appendFileSync(file, 'more');
          changed = true;
        },
      },
    );
    const error = await failureOf(work);
    expect(error).toMatchObject({
      code: 'upload-incomplete',
      cause: { code: 'upload-source-changed' },
    });
    expect((error as Error).message).toContain('it had 200000 bytes, and now has 200004');
    expect(paths(service.requests)).toEqual(['POST /1/file']);
  });

  test('and shrinks is an error', async () => {
    const file = join(folder, 'shrinking.bin');
    await writeFile(file, content);
    const service = await serve({
      respond: steps({
        record: async (to) => {
          await writeFile(file, 'cut');
          json(to, record);
        },
      }),
    });
    const error = await failureOf(clientOf(service.url).files.upload(file, { folder: 3 }));
    expect(error).toMatchObject({ cause: { code: 'upload-source-changed' } });
  });

  test('since its record was made is an error', async () => {
    const resume = { uploadUrl: 'https://dam.example/up', size: 3, uploaded: false };
    const work = clientOf('https://dam.example').files.upload(path, { folder: 3 }, { resume });
    expect(await failureOf(work)).toMatchObject({ code: 'upload-source-changed' });
  });

  test.for([
    ['more', [4, 4], 'more than the 6 bytes'],
    ['fewer', [2, 2], 'ended 2 bytes before'],
  ] as const)('or a stream that gives %s bytes than announced', async ([, parts, text]) => {
    const service = await serve({ respond: steps({}) });
    const file = { stream: inParts(parts.map((size) => new Uint8Array(size))), size: 6 };
    const work = clientOf(service.url).files.upload(file, { filename: 'a', folder: 3 });
    const error = await failureOf(work);
    expect(error).toMatchObject({ cause: { code: 'upload-source-changed' } });
    expect((error as Error).message).toContain(text);
    expect(service.requests).toHaveLength(1);
  });
});

describe('what cannot be uploaded is refused before anything is sent', () => {
  const bytes = new Uint8Array(3);
  const named = { filename: 'a.jpg', folder: 3 };
  test.for<[string, string, unknown, unknown, unknown?]>([
    ['a missing file', 'upload-source-unusable', '/no/such.jpg', { folder: 3 }],
    ['a folder', 'upload-source-unusable', tmpdir(), { folder: 3 }],
    ['a device', 'upload-source-unusable', '/dev/null', { folder: 3 }],
    ['a URL of the web', 'upload-source-unusable', new URL('https://a.example/b'), { folder: 3 }],
    ['an empty path', 'argument-invalid', '', named],
    ['a path with a null byte', 'argument-invalid', 'a\0b', named],
    ['nothing', 'argument-invalid', undefined, named],
    ['a number', 'argument-invalid', 12, named],
    ['a stream without size', 'argument-invalid', { stream: inParts([]) }, named],
    ['a negative size', 'argument-invalid', { stream: inParts([]), size: -1 }, named],
    ['a size of text', 'argument-invalid', { stream: inParts([]), size: '3' }, named],
    ['bytes without a name', 'argument-invalid', bytes, { folder: 3 }],
    ['no metadata', 'argument-invalid', bytes, undefined],
    ['no folder', 'argument-invalid', bytes, { filename: 'a' }],
    ['a folder of text', 'argument-invalid', bytes, { filename: 'a', folder: '3' }],
    ['a folder below 0', 'argument-invalid', bytes, { filename: 'a', folder: -1 }],
    ['a name with a slash', 'argument-invalid', bytes, { ...named, filename: '../a' }],
    ['a name with a line break', 'argument-invalid', bytes, { ...named, filename: 'a\nb' }],
    ['an empty name', 'argument-invalid', bytes, { ...named, filename: '' }],
    ['a huge name', 'argument-invalid', bytes, { ...named, filename: 'a'.repeat(256) }],
    ['metadata that is unknown', 'argument-invalid', bytes, { ...named, alt: 'x' }],
    ['empty fields', 'argument-invalid', bytes, { ...named, fields: {} }],
    ['a progress that is none', 'argument-invalid', bytes, named, { onProgress: 1 }],
    ['a signal that is none', 'argument-invalid', bytes, named, { signal: 'now' }],
    [
      'a resume that is none',
      'argument-invalid',
      bytes,
      named,
      { resume: { uploadUrl: 's3cr3t' } },
    ],
  ])('%s: %s', async ([, code, file, metadata, request]) => {
    const { files } = clientOf('https://dam.example');
    const upload = files.upload as (...args: unknown[]) => Promise<unknown>;
    const error = await failureOf(upload(file, metadata, request));
    expect(error).toMatchObject({ code });
    expect(inspect(error)).not.toContain('s3cr3t');
  });
});

test('upload names must be three', () => {
  const names = { filename: 'name', size: 'name' };
  expect(() => clientOf('https://dam.example', { uploadFields: names })).toThrow(
    expect.objectContaining({ code: 'options-invalid' }),
  );
});

import { describe, expect, test } from 'vitest';
import { listUsages } from '../../../src/service/calls/usage-calls.ts';
import {
  excerpt,
  readAnswer,
  readBody,
  statesFailure,
} from '../../../src/service/http/read-answer.ts';
import {
  failingCall,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  usage,
} from '../scripted-service.ts';

const page = '<!doctype html><html><head><title>Please  sign in</title></head></html>';
const type = (value: string) => ({ 'content-type': value });

function answer(status: number, headers: Record<string, string>, body = ''): Respond {
  return (response) => void response.writeHead(status, headers).end(body);
}

describe('a usage is recorded', () => {
  test.for([
    ['204', answer(204, {})],
    ['201 with JSON', answer(201, type('application/json'), '{"id":[4711]}')],
    ['JSON without a label', answer(200, {}, '{"success":true}')],
    ['JSON labelled as HTML', answer(200, type('text/html; charset=UTF-8'), '{"success":true}')],
    ['nothing labelled as HTML', answer(200, type('text/html; charset=UTF-8'))],
    ['JSON with a code', answer(200, type('application/json'), '{"code":200,"status":"0"}')],
    ['JSON null', answer(200, type('application/json'), 'null')],
    ['an array of one', answer(202, type('application/json'), '[{"status":"ok","error":null}]')],
  ] as const)('with %s', async ([, respond]) => {
    const service = await startScriptedService({ respond });
    await expect(scriptedClient(service.url).usages.report(usage)).resolves.toBeUndefined();
    expect(service.requests).toHaveLength(1);
  });
});

describe('a usage is not recorded', () => {
  test.for([
    ['answer-html', 'an HTML page', answer(200, type('text/html'), page)],
    ['answer-html', 'an HTML page without a label', answer(200, {}, `\uFEFF\n ${page}`)],
    ['answer-html', 'text labelled as HTML', answer(200, type('text/html'), 'Maintenance')],
    ['answer-html', 'XML', answer(200, type('text/xml'), '<?xml version="1.0"?><Error/>')],
    ['answer-html', 'HTML labelled as JSON', answer(200, type('application/json'), '<HTML>')],
    ['redirect-refused', 'a redirect to sign in', answer(302, { location: '/sign-in' })],
    ['redirect-refused', 'a redirect that keeps the method', answer(307, { location: '/' })],
    ['redirect-refused', 'a redirect to nowhere', answer(302, {})],
    ['answer-unexpected', '304', answer(304, {})],
    ['answer-unexpected', 'a text above 16 MB', answer(200, {}, 'O'.repeat(16 * 1024 ** 2 + 1))],
    ['answer-unexpected', 'broken JSON', answer(200, type('application/json'), '{"success":')],
    ['answer-unexpected', 'text labelled as JSON', answer(200, type('application/json'), 'OK')],
    ['answer-unexpected', 'a trace', answer(200, type('text/json'), 'Fatal error: line 12')],
    ['request-refused', 'a status', (response) => json(response, { status: 404 })],
    ['request-refused', 'a fault', (response) => json(response, { fault: { faultcode: 'x' } })],
    [
      'request-refused',
      'a refused asset of several',
      (response) =>
        json(response, [
          { id: 4711, status: 200 },
          { id: 4712, status: 404 },
        ]),
    ],
    ['request-refused', 'stated failure', (response) => json(response, { success: false })],
    ...[
      { data: { success: false } },
      { result: false },
      { response: { status: 'ok', result: { error: 'no such file' } } },
      {
        results: [
          { id: 4711, status: 200 },
          { id: 4712, status: 404 },
        ],
      },
    ].map((stated): [string, string, Respond] => [
      'request-refused',
      `a failure in an envelope, ${JSON.stringify(stated)}`,
      (response) => json(response, stated),
    ]),
    ['service-failed', '408', answer(408, {})],
  ] as [string, string, Respond][])('%s: %s', async ([code, , respond]) => {
    const { error } = await failingCall({ respond });
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(`assets 4711, 4712 on ${usage.page}`);
  });
});

test.for([
  [true, { success: false }],
  [true, { success: 'false' }],
  [true, { success: 0, message: 'no' }],
  [true, { ok: '0' }],
  [true, { isSuccess: 0 }],
  [true, { ok: false }],
  [true, { error: 'no such file' }],
  [true, { error: { code: 17 } }],
  [true, { errors: [{ id: 4711 }] }],
  [true, { status: 'error' }],
  [true, { status: 'Failed' }],
  [true, [{ success: true }, { error: 'no such file' }]],
  [true, false],
  [true, { status: 400 }],
  [true, { status: '404' }],
  [true, { statusCode: 503, message: 'busy' }],
  [true, { code: 10_017 }],
  [true, { fault: 'no such file' }],
  [true, { Success: false }],
  [true, { is_success: 'False' }],
  [true, { Error: 'no right' }],
  [true, { result: 'failed' }],
  [true, { Status: 'NOK' }],
  [true, { failed: [4711] }],
  [true, { exception: 'no right' }],
  [true, { code: -1 }],
  [true, { errorCode: 17 }],
  [true, { id: null, status: 404 }],
  [true, { id: 4711, success: false }],
  [true, { id: 4711, errors: ['locked'] }],
  [true, [{ id: 4711 }, { status: 409 }]],
  [false, { id: 4711, status: 500, code: 4711, statusCode: 404, fault: 'San Andreas' }],
  [false, { status: 399, statusCode: 200, code: 0 }],
  [false, { status: '2026-03-01', code: 'E404', statusCode: null }],
  [false, { fault: false }],
  [false, { errorCode: '0', result: 'done' }],
  [false, { id: 4711, Code: -1, errorCode: 17, failed: 2, exception: 'San Andreas' }],
  [false, { id: 4711, OK: false, Error: 'none', result: 'failed', Status: 'error' }],
  [false, { failed: [], exception: null }],
  [false, { fault: [] }],
  [false, { data: [{ id: 4711 }], status: 200 }],
  [false, { success: 'true', error: null }],
  [false, { success: 1, errors: 0, count: 0 }],
  [false, { id: 4711, success: 0, ok: '0', isSuccess: 0 }],
  [false, { error: '' }],
  [false, { error: false, errors: [] }],
  [false, { error: 'false' }],
  [false, { error: {} }],
  [false, { error: 0 }],
  [false, { status: 'ok' }],
  [false, {}],
  [false, []],
  [false, null],
  [false, true],
  [false, 'error'],
  [false, [4711]],
] as const)('reports a failure (%j): %j', ([stated, value]) => {
  expect(statesFailure(value, { records: true })).toBe(stated);
});

test('a record with fields of these names is read, and listed', async () => {
  const record = { id: 4711, name: 'Harbour', status: 500, code: 4711, fault: 'San Andreas' };
  const service = await startScriptedService({
    respond: (response, { url }) => json(response, url.includes('/folder/') ? [record] : record),
  });
  const { files, folders } = scriptedClient(service.url);
  expect(await files.record(4711)).toMatchObject({ id: 4711, name: 'Harbour' });
  for await (const listed of folders.files(1)) expect(listed).toMatchObject({ id: 4711 });
  expect.assertions(2);
});

describe('an error quotes the service', () => {
  const redact = (text: string) => text.replaceAll('token-1', '[secret]');
  const long = 'long '.repeat(100);
  const quoted = (text: string) => excerpt(readAnswer(text, undefined), redact);

  test.for([
    ['application/json', '{"message":"No file 4712"}', 'No file 4712'],
    ['application/json', '[{"error":"No file 4712"}]', 'No file 4712'],
    ['application/json', '{"error":{"message":"No file 4712"}}', 'No file 4712'],
    ['application/json', '{"error":"e","error_description":"No file"}', 'No file'],
    ['application/json', '{"code":17}', '{"code":17}'],
    ['text/plain', 'There is no file 4712.\n', 'There is no file 4712'],
    ['text/plain', ' No\r\n\tfile \u001b[31m4712 ', 'No file [31m4712'],
    ['text/plain', 'No \u202eelif\u2066', 'No elif'],
    ['text/html', page, 'an HTML page, “Please sign in”'],
    ['text/html', '<h1>Bad gateway</h1>', 'an HTML page'],
    ['text/plain', 'got token-1', 'got [secret]'],
    ['text/plain', '', ''],
  ])('%s %j', ([contentType = '', text = '', said]) => {
    expect(excerpt(readAnswer(text, contentType), redact)).toBe(said);
  });

  test('with at most 200 characters and no part of a secret', () => {
    const text = `${'x'.repeat(195)}token-1`;
    const cut = quoted(text);
    expect(cut).toBe(`${'x'.repeat(195)}[sec…`);
    expect(quoted(long)).toHaveLength(200);
    const faces = quoted('🦭'.repeat(300));
    expect([...faces]).toHaveLength(200);
    expect(faces.isWellFormed()).toBe(true);
  });

  test('in its message', async () => {
    const { error, url } = await failingCall(
      { respond: (response) => json(response, { error: 'crop outside' }, 400) },
      ({ files }) => files.customFormat(4711, { x1: 1 }),
    );
    expect(error).toMatchObject({
      message: `The service refused a crop of asset 4711 (GET ${url}/1/file/4711/download/-1?x1=1) with 400: crop outside.`,
    });
  });
});

test.for([
  ['empty', undefined, ' \n'],
  ['json', undefined, '{"a":1}'],
  ['json', 'application/problem+json', '"text"'],
  ['text', 'text/plain', '"text"'],
  ['json', 'text/plain', 'false'],
  ['text', 'text/plain', 'falsely'],
  ['text', undefined, '[OK] done'],
  ['broken-json', 'application/json', '[OK] done'],
  ['broken-json', 'application/json', 'OK'],
  ['html', 'application/json', '<html>'],
  ['html', 'application/xhtml+xml', '<p>'],
  ['html', 'application/octet-stream', '<html lang="en">'],
  ['text', undefined, '<htmlish>'],
] as const)('reads %s from %s %j', ([kind, contentType, text]) => {
  expect(readAnswer(text, contentType).kind).toBe(kind);
});

test('reads characters that come in parts', async () => {
  const bytes = Buffer.from('{"error":"Kein Fährhafen 漢 🌊"}');
  const body = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
  const { text, isComplete } = await readBody(new Response(body), bytes.length);
  expect([text, isComplete]).toEqual([bytes.toString(), true]);
});

describe('a list of usages', () => {
  const record = {
    contact: 'c',
    project: 'p',
    publishDate: '2026-03-01',
    url: 'https://a.example/',
  };
  const read = {
    page: 'https://a.example/',
    pageName: undefined,
    project: 'p',
    contact: 'c',
    date: '2026-03-01',
  };

  const recordsIn = (json: unknown) =>
    listUsages(
      'https://dam.example',
      { id: 4711 },
      async (_, read) => {
        const reading = read(json);
        if ('problem' in reading) throw new Error(reading.problem);
        return reading.value;
      },
      { whole: 100 },
    );

  test('can use the names of section 2.1', async () => {
    const web = { page: 'https://a.example/', pageName: 'A' };
    const value = [{ web, contact: 'c', project: 'p', date: '2026-03-01', removed: 'false' }];
    expect(await recordsIn(value)).toEqual([{ ...read, pageName: 'A' }]);
  });

  test('can hold nulls, numbers, empty texts and print usages', async () => {
    const bare = { url: 'https://a.example/', project: null, contact: '', web: null };
    const printed = { url: null, project: 'calendar' };
    const list = [{ ...bare, publishDate: 20260301 }, printed];
    expect(await recordsIn(list)).toEqual([
      { ...read, project: undefined, contact: undefined, date: '20260301' },
      { page: '', project: 'calendar' },
    ]);
  });

  test.for([
    ['an empty array', (response) => json(response, [])],
    ['null', (response) => json(response, null)],
    ['a wrapped null', (response) => json(response, { data: null })],
    ['204', answer(204, {})],
  ] as [string, Respond][])('is empty for %s', async ([, respond]) => {
    const service = await startScriptedService({ respond });
    expect(await scriptedClient(service.url).usages.list(4711)).toEqual([]);
  });

  test.for([undefined, { total: 0 }, { data: { 1: record } }])(
    'is refused for %j',
    async (json) => {
      await expect(recordsIn(json)).rejects.toThrow('it has no list of usages');
    },
  );

  test('follows links and keeps repeated records', async () => {
    const service = await startScriptedService({
      respond: (response, { url }) =>
        url.includes('from=2')
          ? json(response, { usages: [record], total: 3 })
          : json(response, { usages: [record, record], next: '?from=2', total: 3 }),
    });
    expect(await scriptedClient(service.url).usages.list(4711)).toEqual([read, read, read]);
    const queries = service.requests.map(({ url }) => url.split('?')[1]);
    expect(queries).toEqual(['fields=any', 'from=2']);
  });

  test('is complete with the number of pages that show the asset', async () => {
    const pages = ['/a/', '/a/', '/b/'].map((path) => `https://harbour.example${path}`);
    const usages = pages.map((url) => ({ ...record, url }));
    const shown = pages.map((page) => ({ ...read, page }));
    expect(await recordsIn({ usages, pages: 2 })).toEqual(shown);
    await expect(recordsIn({ usages, pages: 3 })).rejects.toThrow('more than its 3 records');
    await expect(recordsIn({ usages, totalPages: 2 })).rejects.toThrow('more than its 3 records');
  });

  test.each([
    ['page=0', (query: URLSearchParams) => 20 * Number(query.get('page') ?? 0)],
    ['page=1', (query: URLSearchParams) => 20 * (Number(query.get('page') ?? 1) - 1)],
    ['offset=0', (query: URLSearchParams) => Number(query.get('offset') ?? 0)],
  ])('is whole if its first page is %s, and 20 usages are on a page', async (_, startOf) => {
    const all = Array.from({ length: 50 }, (_, index) => {
      return { ...record, url: `https://harbour.example/${index}/` };
    });
    const service = await startScriptedService({
      respond(response, { url }) {
        const start = startOf(new URL(url, 'http://127.0.0.1').searchParams);
        return json(response, all.slice(start, start + 20));
      },
    });
    const { usages } = scriptedClient(service.url);
    const pages = async () => (await usages.list(4711)).map(({ page }) => page);
    expect(await pages()).toEqual(all.map(({ url }) => url));
    const asked = service.requests.length;
    expect(await pages()).toHaveLength(50);
    // What is known of its pages costs nothing: 20, 20, 10 and none.
    expect(service.requests.length - asked).toBeLessThanOrEqual(4);
  });

  test('is whole if a page has only usages that earlier ones have, in another mix', async () => {
    const at = (index: number) => ({ ...record, url: `https://a.example/${index}/` });
    const pages = [[at(1), at(2)], [at(3), at(4)], [at(1), at(3)], [at(5)]];
    const service = await startScriptedService({
      respond(response, { url }) {
        const query = new URL(url, 'http://127.0.0.1').searchParams;
        return json(response, pages[Number(query.get('page') ?? 1) - 1] ?? []);
      },
    });
    const listed = await scriptedClient(service.url).usages.list(4711);
    expect(listed.map(({ page }) => page)).toEqual(pages.flat().map(({ url }) => url));
  });

  test('is whole in one request, once a longer one has shown no further page', async () => {
    const list = (length: number) =>
      Array.from({ length }, (_, index) => ({ ...record, url: `https://a.example/${index}/` }));
    const service = await startScriptedService({
      respond: (response, { url }) => json(response, list(url.includes('/4711/') ? 9 : 8)),
    });
    const { usages } = scriptedClient(service.url);
    expect(await usages.list(4711)).toHaveLength(9);
    const asked = service.requests.length;
    expect(await usages.list(4712)).toHaveLength(8);
    expect(service.requests.length - asked).toBe(1);
  });

  test.for<[string, object, number]>([
    ['to another host', { next: 'https://files.example/?page=2' }, 1],
    ['to itself', { next: '?fields=any' }, 1],
    // Three further pages repeat the first.
    ['that is missing', { hasMore: true }, 4],
  ])('is refused with a link %s', async ([, paging, asked]) => {
    const { error, requests } = await failingCall(
      { respond: (response) => json(response, { usages: [record], ...paging }) },
      ({ usages }) => usages.list(4711),
    );
    expect(error).toMatchObject({ code: 'answer-unexpected' });
    expect(requests).toHaveLength(asked);
  });
});

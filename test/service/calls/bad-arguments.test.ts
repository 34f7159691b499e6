import { tmpdir } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { MediaService } from '../../../src/service/index.ts';
import {
  failureOf,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  usage,
} from '../scripted-service.ts';

const first = (list: AsyncIterable<unknown>) => list[Symbol.asyncIterator]().next();

const wrongIds = [
  0,
  -1.5,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  -(2 ** 53),
  '4711',
  '1/../2',
  null,
  undefined,
  {},
  10n,
];
const wrongTexts = ['', ' \n', 'x'.repeat(1001), '\ud800', 4711, null, undefined, {}, ['boat']];
const wrongFields = [
  'id',
  [],
  [''],
  ['a,b'],
  ['a\nb'],
  [4711],
  ['x'.repeat(101)],
  Array(101).fill('a'),
];
const wrongLimits = [0, -1, 1.5, Number.NaN, '10', null];
const wrongRequests = ['all', 4711, null, [], { field: ['id'] }, { signal: 'now' }];

const huge = 'x'.repeat(2 * 1024 ** 2);
const wrongNames = ['', '..', 'a/b', 'a\nb', 'x'.repeat(256), '\ud800', 4711, null];
const circle: Record<string, unknown> = {};
circle.self = circle;
let deep: unknown = 'end';
for (let level = 0; level < 100_000; level += 1) deep = [deep];
const wrongMetadata = [
  ...[null, undefined, '', [], {}, { a: undefined }, { a: 1n }, { a: huge }],
  ...[{ a: () => 'x' }, { a: Number.NaN }, circle, { deep }, new Date()],
];
const stream = { stream: new Blob(['light']).stream(), size: 5 };
const redirectUri = 'http://127.0.0.1:7777/';
const state = '0123456789abcdef';

type Calls = Record<
  string,
  [values: readonly unknown[], (s: MediaService, value: never) => unknown]
>;

/** Each argument, with invalid values. */
const calls: Calls = {
  'folders.tree(request)': [wrongRequests, ({ folders }, value) => folders.tree(value)],
  'folders.files(folderId)': [
    wrongIds.filter((id) => id !== 0),
    ({ folders }, id) => first(folders.files(id)),
  ],
  'folders.files(_, request)': [
    wrongRequests,
    ({ folders }, request) => first(folders.files(12, request)),
  ],
  'folders.files(_, { type })': [
    ['', 'a b', 'x'.repeat(101), 1, null],
    ({ folders }, type) => first(folders.files(12, { type })),
  ],
  'folders.files(_, { processed })': [
    ['true', 1, null],
    ({ folders }, processed) => first(folders.files(12, { processed })),
  ],
  'search(query)': [wrongTexts, ({ search }, query) => first(search(query))],
  'search(_, { fields })': [
    ['all', ...wrongFields],
    ({ search }, fields) => first(search('boat', { fields })),
  ],
  'search(_, { maxPages })': [
    wrongLimits,
    ({ search }, maxPages) => first(search('b', { maxPages })),
  ],
  'search(_, { maxRecords })': [
    wrongLimits,
    ({ search }, maxRecords) => first(search('b', { maxRecords })),
  ],
  'files.original(id)': [wrongIds, ({ files }, id) => files.original(id)],
  'files.original(_, request)': [
    [null, 'now', 1, { etag: '"1"' }, { signal: {} }, { onProgress: 'yes' }],
    ({ files }, request) => files.original(1, request),
  ],
  'files.original(_, { validators })': [
    [
      '"1"',
      { etag: 'a\r\nx-evil: 1' },
      { etag: '€' },
      { lastModified: 5 },
      { etag: 'x'.repeat(1e4) },
    ],
    ({ files }, validators) => files.original(1, { validators }),
  ],
  'files.customFormat(id)': [wrongIds, ({ files }, id) => files.customFormat(id, { w: 1 })],
  'files.customFormat(_, parameters)': [
    [
      null,
      undefined,
      'w=1',
      { w: Number.NaN },
      { w: Number.POSITIVE_INFINITY },
      { w: null },
      { w: {} },
      { '': 1 },
      { 'a\nb': 1 },
      { w: 'x'.repeat(1001) },
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, 1])),
    ],
    ({ files }, parameters) => files.customFormat(1, parameters),
  ],
  'files.customFormat(_, _, request)': [
    wrongRequests,
    ({ files }, request) => files.customFormat(1, { w: 1 }, request),
  ],
  'files.originalUrl(id)': [wrongIds, ({ files }, id) => files.originalUrl(id)],
  'files.customFormatUrl(id)': [wrongIds, ({ files }, id) => files.customFormatUrl(id, {})],
  'files.customFormatUrl(_, parameters)': [
    [null, '', { w: 'x'.repeat(1001) }, { 'w h': 1 }],
    ({ files }, parameters) => files.customFormatUrl(1, parameters),
  ],
  'files.upload(file)': [
    [
      ...[null, undefined, '', 4711, {}, huge, 'a\0b', stream],
      ...[new URL('https://harbour.example/quay.jpg'), '/no/such.jpg', tmpdir(), '/dev/null'],
    ],
    ({ files }, file) => files.upload(file, { folder: 1, filename: 'quay.jpg' }),
  ],
  'files.upload(_, metadata)': [
    [
      ...[null, undefined, {}, { folder: 1 }, { folder: 1, filename: 'a', alt: 'x' }],
      ...wrongNames.map((filename) => ({ folder: 1, filename })),
    ],
    ({ files }, metadata) => files.upload(new Uint8Array(1), metadata),
  ],
  'files.upload(_, { folder })': [
    wrongIds.filter((id) => id !== 0),
    ({ files }, folder) => files.upload(new Uint8Array(1), { folder, filename: 'quay.jpg' }),
  ],
  'files.upload(_, { fields })': [
    wrongMetadata.filter((metadata) => metadata !== undefined),
    ({ files }, fields) =>
      files.upload(new Uint8Array(1), { folder: 1, filename: 'quay.jpg', fields }),
  ],
  'files.upload(_, _, request)': [
    [...wrongRequests, { onProgress: 'yes' }],
    ({ files }, request) =>
      files.upload(new Uint8Array(1), { folder: 1, filename: 'quay.jpg' }, request),
  ],
  'files.update(id)': [wrongIds, ({ files }, id) => files.update(id, { credit: 'Ada' })],
  'files.update(_, metadata)': [wrongMetadata, ({ files }, metadata) => files.update(1, metadata)],
  'files.update(_, _, request)': [
    wrongRequests,
    ({ files }, request) => files.update(1, { credit: 'Ada' }, request),
  ],
  'signIn.authorizationUrl(request)': [
    [
      null,
      undefined,
      '',
      {},
      { redirectUri, state: '' },
      { redirectUri, state: huge },
      { redirectUri: '', state },
      { redirectUri: huge, state },
      ...['https://harbour.example/', 'http://harbour.example/', 'https://127.0.0.1/'].map(
        (redirectUri) => ({ redirectUri, state }),
      ),
      { redirectUri: `${redirectUri}#a`, state },
      { state },
      { redirectUri },
      ...['abc', `${state}\n`, 'a'.repeat(1001)].map((state) => ({ redirectUri, state })),
    ],
    ({ signIn }, request) => signIn.authorizationUrl(request),
  ],
  'signIn.exchangeCode(answer)': [
    [
      null,
      undefined,
      '',
      {},
      { redirectUri, state, callbackUrl: '' },
      { redirectUri, state, callbackUrl: huge },
      { redirectUri, state: '', callbackUrl: `${redirectUri}?code=a&state=` },
    ],
    ({ signIn }, answer) => signIn.exchangeCode(answer),
  ],
  'signIn.exchangeCode(_, request)': [
    wrongRequests,
    ({ signIn }, request) =>
      signIn.exchangeCode(
        { redirectUri, state, callbackUrl: `${redirectUri}?code=a&state=${state}` },
        request,
      ),
  ],
  'files.record(id)': [wrongIds, ({ files }, id) => files.record(id)],
  'files.record(_, request)': [
    [null, 'now', 1, [], { fields: [] }, { fields: ['a,b'] }, { signal: 'now' }],
    ({ files }, request) => files.record(1, request),
  ],
  'usages.list(id)': [wrongIds, ({ usages }, id) => usages.list(id)],
  'usages.list(_, request)': [
    [null, 'now', 1, [], { fields: ['id'] }, { signal: 'now' }],
    ({ usages }, request) => usages.list(1, request),
  ],
  'usages.report(_, request)': [
    [null, 'now', 1, [], new AbortController().signal, { attempts: 2 }, { signal: {} }],
    ({ usages }, request) => usages.report(usage, request),
  ],
  'usages.report(_, { beforeAttempt })': [
    [true, null, 'later', {}],
    ({ usages }, beforeAttempt) => usages.report(usage, { beforeAttempt }),
  ],
  'usages.report(usage)': [
    [
      null,
      undefined,
      'usage',
      {},
      { ...usage, ids: 4711 },
      { ...usage, ids: [] },
      { ...usage, ids: ['4711'] },
      { ...usage, page: undefined },
      { ...usage, pageName: 5 },
      { ...usage, project: null },
      { ...usage, removed: 'false' },
      { ...usage, page: '' },
      ...['/boats/', 'museum.example/boats/', '//museum.example/', 'javascript:alert(1)'].map(
        (page) => ({ ...usage, page }),
      ),
      ...['http://', 'https:/museum.example/', 'https://[x]/'].map((page) => ({ ...usage, page })),
      ...['', 'today', '2026-02-30', '2026-3-1', '01.03.2026', '2026-03-01T00:00:00Z'].map(
        (date) => ({ ...usage, date }),
      ),
      ...['', '1.5', '-1', 2].map((amount) => ({ ...usage, amount })),
      ...['web', [''], [1]].map((types) => ({ ...usage, types })),
      { ...usage, contact: '\ud800' },
      ...(['page', 'pageName', 'project', 'contact', 'description', 'date'] as const).map(
        (name) => ({ ...usage, [name]: huge }),
      ),
    ],
    ({ usages }, value) => usages.report(value),
  ],
};

describe.for(Object.entries(calls))('%s', ([, [values, call]]) => {
  test.for(values.map((value) => ({ name: inspect(value, { depth: 2 }).slice(0, 80), value })))(
    'refuses $name',
    async ({ value }) => {
      const service = await startScriptedService({ respond: (response) => json(response, []) });
      const error = await failureOf(
        (async () => call(scriptedClient(service.url), value as never))(),
      );
      expect(error).toMatchObject({
        code: expect.stringMatching(/^(?:(?:argument|asset-id)-invalid|upload-source-unusable)$/),
        hint: expect.stringMatching(/\S/),
      });
      expect(String(error).length).toBeLessThan(400);
      expect(service.requests).toEqual([]);
      expect(service.tokenRequests).toEqual([]);
    },
  );
});

test('covers every method', () => {
  const client = scriptedClient('https://dam.example');
  const methods = Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function'
      ? [name]
      : typeof value === 'object'
        ? Object.keys(value).map((method) => `${name}.${method}`)
        : [],
  );
  const tried = new Set(Object.keys(calls).map((call) => call.replace(/\(.*/, '')));
  expect([...tried].sort()).toEqual(methods.sort());
});

describe('an answer of any call', () => {
  const reads: Record<string, (service: MediaService) => Promise<unknown>> = {
    'folders.tree': ({ folders }) => folders.tree(),
    'folders.files': ({ folders }) => first(folders.files(12)),
    search: ({ search }) => search('boat')[Symbol.asyncIterator]().next(),
    'files.record': ({ files }) => files.record(1),
    'usages.list': ({ usages }) => usages.list(1),
    'usages.report': ({ usages }) => usages.report(usage),
  };
  const nested = (levels: number, [open, close]: [string, string]) =>
    `${open.repeat(levels)}${close.repeat(levels)}`;
  const body =
    (text: string, status = 200): Respond =>
    (response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  const endless: Respond = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[');
    const write = () => {
      while (!response.destroyed && response.write('{"id":1},'.repeat(1000)));
    };
    response.on('drain', write);
    write();
  };
  const answers: [name: string, code: string, Respond][] = [
    ['objects a million deep', 'answer-unexpected', body(nested(1e6, ['{"a":', '}']))],
    ['a refusal a million levels deep', 'request-refused', body(nested(1e6, ['[', ']']), 400)],
    ['a refusal a thousand levels deep', 'request-refused', body(nested(1000, ['[', ']']), 400)],
    ['a refusal of deep objects', 'request-refused', body(nested(5000, ['{"error":', '}']), 400)],
    ['without an end', 'answer-unexpected', endless],
    ['HTML', 'answer-html', body('<!doctype html><title>Sign in</title>')],
    [
      'a redirect to itself',
      'redirect-refused',
      (response, { url }) => void response.writeHead(302, { location: url }).end(),
    ],
    [
      'a redirect to a private address',
      'redirect-refused',
      (response) => void response.writeHead(302, { location: 'https://10.0.0.1/?t=1' }).end(),
    ],
  ];

  test.for(
    answers.flatMap(([name, code, respond]) =>
      Object.keys(reads).map((method) => ({ name, code, respond, method })),
    ),
  )('$name, to $method, is $code', async ({ code, respond, method }) => {
    const service = await startScriptedService({ respond });
    const client = scriptedClient(service.url, { attempts: 1, maxAnswerBytes: 4 * 1024 ** 2 });
    const error = await failureOf(reads[method]?.(client) ?? Promise.resolve());
    expect(error).toMatchObject({ code });
    expect(String(error).length).toBeLessThan(700);
    expect(String(error)).not.toMatch(/pass-word-91c4|client-secret-7f3a|token-1/);
  });
});

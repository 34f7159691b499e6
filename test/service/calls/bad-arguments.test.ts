import { tmpdir } from 'node:os';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { MediaService } from '../../../src/service/index.ts';
import {
  bodyOf,
  failureOf,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  usage,
} from '../scripted-service.ts';

const first = (list: AsyncIterable<unknown>) => list[Symbol.asyncIterator]().next();

const huge = 'x'.repeat(2 * 1024 ** 2);
const circle: Record<string, unknown> = {};
circle.self = circle;
let deep: unknown = 'end';
for (let level = 0; level < 100_000; level += 1) deep = [deep];
const stream = { stream: new Blob(['light']).stream(), size: 5 };
const redirectUri = 'http://127.0.0.1:7777/';
const state = '0123456789abcdef';
const quay = { folder: 1, filename: 'quay.jpg' };
const one = new Uint8Array(1);

const wrongFolders = [1.5, Number.NaN, 2 ** 53, '4711', '1/../2', null, undefined, {}, 10n];
const wrongIds = [0, -1.5, Number.POSITIVE_INFINITY, -(2 ** 53), ...wrongFolders];
const wrongTexts = ['', ' \n', 'x'.repeat(1001), '\ud800', 4711, null, undefined, {}, ['boat']];
const wrongLimits = [0, -1, 1.5, Number.NaN, '10', null];
const wrongRequests = ['all', 4711, null, [], { field: ['id'] }, { signal: 'now' }];
const wrongMetadata = [
  ...[null, '', [], {}, { a: undefined }, { a: 1n }],
  ...[{ a: () => 'x' }, { a: Number.NaN }, circle, { deep }, new Date()],
];
const named = (name: string, ...values: unknown[]) => values.map((value) => ({ [name]: value }));

type Call = (service: MediaService, value: never) => unknown;

/** Invalid values for each argument of each method. */
const calls: readonly [argument: string, values: readonly unknown[], Record<string, Call>][] = [
  [
    'id',
    wrongIds,
    {
      'files.original': ({ files }, id) => files.original(id),
      'files.customFormat': ({ files }, id) => files.customFormat(id, { w: 1 }),
      'files.preview': ({ files }, id) => files.preview(id, '/preview'),
      'files.originalUrl': ({ files }, id) => files.originalUrl(id),
      'files.customFormatUrl': ({ files }, id) => files.customFormatUrl(id, {}),
      'files.update': ({ files }, id) => files.update(id, { credit: 'Ada' }),
      'files.record': ({ files }, id) => files.record(id),
      'usages.list': ({ usages }, id) => usages.list(id),
    },
  ],
  [
    'folder',
    wrongFolders,
    {
      'folders.files': ({ folders }, id) => first(folders.files(id)),
      'files.upload': ({ files }, folder) => files.upload(one, { ...quay, folder }),
    },
  ],
  [
    'request',
    wrongRequests,
    {
      'folders.tree': ({ folders }, request) => folders.tree(request),
      'folders.files': ({ folders }, request) => first(folders.files(12, request)),
      search: ({ search }, request) => first(search('boat', request)),
      'files.original': ({ files }, request) => files.original(1, request),
      'files.customFormat': ({ files }, request) => files.customFormat(1, { w: 1 }, request),
      'files.preview': ({ files }, request) => files.preview(1, '/preview', request),
      'files.readWhole': ({ files }, request) =>
        files.readWhole(() => files.original(1), bodyOf, request),
      'files.upload': ({ files }, request) => files.upload(one, quay, request),
      'files.update': ({ files }, request) => files.update(1, { credit: 'Ada' }, request),
      'files.record': ({ files }, request) => files.record(1, request),
      'usages.list': ({ usages }, request) => usages.list(1, request),
      'usages.report': ({ usages }, request) => usages.report(usage, request),
    },
  ],
  [
    'fields',
    ['id', [], [''], ['a,b'], ['a\nb'], [4711], ['x'.repeat(101)], Array(101).fill('a')],
    {
      search: ({ search }, fields) => first(search('boat', { fields })),
      'files.record': ({ files }, fields) => files.record(1, { fields }),
    },
  ],
  [
    'request',
    [...named('type', '', 1, null), ...named('processed', 'true', 1, null)],
    { 'folders.files': ({ folders }, request) => first(folders.files(12, request)) },
  ],
  [
    'request',
    [...named('maxPages', ...wrongLimits), ...named('maxRecords', ...wrongLimits)],
    { search: ({ search }, request) => first(search('boat', request)) },
  ],
  ['query', wrongTexts, { search: ({ search }, query) => first(search(query)) }],
  [
    'request',
    [
      ...[{ etag: '"1"' }, { onProgress: 'yes' }],
      ...named(
        'validators',
        ...['"1"', { etag: 'a\r\nx-evil: 1' }, { etag: '€' }, { lastModified: 5 }],
        { etag: 'x'.repeat(1e4) },
      ),
    ],
    { 'files.original': ({ files }, request) => files.original(1, request) },
  ],
  [
    'parameters',
    [
      ...[null, undefined, 'w=1', { '': 1 }, { 'a\nb': 1 }, { 'w h': 1 }],
      ...named('w', Number.NaN, Number.POSITIVE_INFINITY, null, {}, 'x'.repeat(1001)),
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, 1])),
    ],
    {
      'files.customFormat': ({ files }, parameters) => files.customFormat(1, parameters),
      'files.customFormatUrl': ({ files }, parameters) => files.customFormatUrl(1, parameters),
    },
  ],
  [
    'file',
    [
      ...[null, undefined, '', 4711, {}, 'a\0b', stream],
      ...[new URL('https://harbour.example/quay.jpg'), '/no/such.jpg', tmpdir(), '/dev/null'],
    ],
    { 'files.upload': ({ files }, file) => files.upload(file, quay) },
  ],
  [
    'metadata',
    [
      ...[null, undefined, {}, { folder: 1 }, { ...quay, alt: 'x' }],
      ...['', '..', 'a/b', 'a\nb', 'x'.repeat(256), '\ud800', 4711, null].map((filename) => ({
        ...quay,
        filename,
      })),
    ],
    { 'files.upload': ({ files }, metadata) => files.upload(one, metadata) },
  ],
  [
    'fields',
    wrongMetadata,
    {
      'files.upload': ({ files }, fields) => files.upload(one, { ...quay, fields }),
      'files.update': ({ files }, fields) => files.update(1, fields),
    },
  ],
  [
    'request',
    [
      ...[null, undefined, '', {}, { redirectUri }, { state }],
      ...['', 'abc', `${state}\n`, 'a'.repeat(1001), huge].map((state) => ({ redirectUri, state })),
      ...[
        ...['', huge, 'http://127.0.0.1/'.padEnd(2001, 'a'), `${redirectUri}#a`],
        ...['http://harbour.example/', 'https://a:b@harbour.example/', 'https://a.example/#b'],
      ].map((redirectUri) => ({ redirectUri, state })),
    ],
    { 'signIn.authorizationUrl': ({ signIn }, request) => signIn.authorizationUrl(request) },
  ],
  [
    'refreshToken',
    [undefined, '', 4711],
    { 'signIn.renew': ({ signIn }, token) => signIn.renew(token) },
  ],
  [
    'path',
    [
      undefined,
      4711,
      '',
      'preview',
      '@evil.example/',
      '.evil.example/',
      ':1/',
      'https://a.example/',
    ],
    { 'files.preview': ({ files }, path) => files.preview(1, path) },
  ],
  [
    'answer',
    [
      ...[null, undefined, '', {}],
      ...['', huge].map((callbackUrl) => ({ redirectUri, state, callbackUrl })),
      { redirectUri, state: '', callbackUrl: `${redirectUri}?code=a&state=` },
    ],
    { 'signIn.exchangeCode': ({ signIn }, answer) => signIn.exchangeCode(answer) },
  ],
  [
    'beforeAttempt',
    [true, null, 'later', {}],
    {
      'usages.report': ({ usages }, beforeAttempt) => usages.report(usage, { beforeAttempt }),
    },
  ],
  [
    'usage',
    [
      ...[null, undefined, 'usage', {}],
      ...[
        ...named('ids', 4711, [], ['4711']),
        ...named('page', undefined, ' ', '/boats/', 'museum.example/boats/', '//museum.example/'),
        ...named('page', 'javascript:alert(1)', 'http://', 'https:/museum.example/', 'https://[x]'),
        ...named('date', '', 'today', '2026-02-30', '2026-3-1', '01.03.2026'),
        ...named('date', '2026-03-01T00:00:00Z'),
        ...named('amount', '', '1.5', '-1', 2),
        ...named('types', 'web', [''], [1]),
        ...[{ pageName: 5 }, { project: null }, { removed: 'false' }],
        ...['page', 'date'].flatMap((name) => named(name, huge)),
      ].map((wrong) => ({ ...usage, ...wrong })),
    ],
    { 'usages.report': ({ usages }, value) => usages.report(value) },
  ],
];

const cases = calls.flatMap(([argument, values, of]) =>
  Object.entries(of).map(([method, call]) => ({ argument, values, method, call })),
);

test.for(cases)('$method refuses an invalid $argument, and sends nothing', async (given) => {
  const { values, call } = given;
  const service = await startScriptedService({ respond: (response) => json(response, []) });
  const client = scriptedClient(service.url);
  for (const value of values) {
    const error = await failureOf((async () => call(client, value as never))());
    expect(error, inspect(value)).toMatchObject({
      code: expect.stringMatching(/^(?:(?:argument|asset-id)-invalid|upload-source-unusable)$/),
      hint: expect.stringMatching(/\S/),
    });
    expect(String(error).length).toBeLessThan(400);
  }
  expect(service.requests).toEqual([]);
  expect(service.tokenRequests).toEqual([]);
});

test('covers every method with an argument', () => {
  const client = scriptedClient('https://dam.example');
  const methods = Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function' && value.length > 0
      ? [name]
      : typeof value === 'object'
        ? Object.keys(value).map((method) => `${name}.${method}`)
        : [],
  );
  expect([...new Set(cases.map(({ method }) => method))].sort()).toEqual(methods.sort());
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

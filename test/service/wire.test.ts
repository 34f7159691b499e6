import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Credentials,
  createMediaService,
  type MediaService,
} from '../../src/service/index.ts';
import { readWire, type WireFixture } from '../support/service/read-wire.ts';
import { usage } from './scripted-service.ts';

const answers = [
  ['POST /1/oauth2/token', '{"access_token":"abc.DEF-123","refresh_token":"again"}'],
  ['POST /1/file ', '{"id":-812,"uploadURL":"/1/upload/-812"}'],
  ['POST /1/upload', ''],
  ['PUT ', ''],
] as const;

/** A raw server: stores the bytes, and answers with what a call needs or an empty list. */
async function captureBytes() {
  const captured: string[] = [];
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      const text = pending.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      captured.push(pending.toString('utf8'));
      pending = Buffer.alloc(0);
      const body = answers.find(([start]) => text.startsWith(start))?.[1] ?? '[]';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { captured, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The bytes of a request as a fixture, with only the fixture's headers. */
function parse(bytes: string, { headers }: WireFixture) {
  const [head = '', ...rest] = bytes.split('\r\n\r\n');
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method, target = ''] = requestLine.split(' ');
  const [path, query = ''] = target.split('?');
  const all = new Map(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/);
      return [name.toLowerCase(), value];
    }),
  );
  return {
    method,
    target,
    path,
    query,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, all.get(name)])),
    body: rest.join('\r\n\r\n'),
  };
}

const access_token = 'abc.DEF-123';
const secrets = { client_id: 'museum site', client_secret: 's&cret=ü' };
const harbour = {
  ...usage,
  contact: 'Ayşe "Web" Öz',
  description: 'back\\slash',
  pageName: 'Boats & "Nets" – Hafen',
  page: 'https://museum.example/boats/?a=1&b=%20#top',
};
const usageValues = {
  access_token,
  ids: harbour.ids,
  contact: harbour.contact,
  date: harbour.date,
  description: harbour.description,
  project: harbour.project,
  page: harbour.page,
  page_name: harbour.pageName,
};

const { page: _, page_name: __, ...inProject } = usageValues;

const cases: readonly [
  fixture: string,
  values: Parameters<typeof readWire>[1],
  call: (service: MediaService) => Promise<unknown>,
][] = [
  ['usage-report', usageValues, ({ usages }) => usages.report(harbour)],
  ['usage-removal', usageValues, ({ usages }) => usages.report({ ...harbour, removed: true })],
  [
    'usage-report',
    { ...usageValues, ids: [-4711, 4711] },
    ({ usages }) => usages.report({ ...harbour, ids: [-4711, 4711] }),
  ],
  [
    'usage-in-project',
    { ...inProject, ids: harbour.ids, amount: '500', type: 'print' },
    ({ usages }) =>
      usages.report({ ...harbour, page: '', pageName: '', amount: '500', types: ['print'] }),
  ],
  [
    'download-custom-format',
    { access_token, id: -4711, x1: 400, y1: 200, w: 2400, h: 1600 },
    ({ files }) => files.customFormat(-4711, { x1: 400, y1: 200, w: 2400, h: 1600 }),
  ],
  [
    'folder-files',
    { access_token, id: -12 },
    ({ folders }) => folders.files(-12)[Symbol.asyncIterator]().next(),
  ],
  ['usage-list', { access_token, id: 4711 }, ({ usages }) => usages.list(4711)],
  ['folder-tree', { access_token }, ({ folders }) => folders.tree()],
  [
    'folder-files',
    { access_token, id: 12 },
    ({ folders }) => folders.files(12)[Symbol.asyncIterator]().next(),
  ],
  [
    'search',
    { access_token, query: 'Öl & "boat"/100%' },
    ({ search }) => search('Öl & "boat"/100%')[Symbol.asyncIterator]().next(),
  ],
  ['download-original', { access_token, id: 4711 }, ({ files }) => files.original(4711)],
  [
    'download-custom-format',
    { access_token, id: 4711, x1: 400, y1: 200, w: 2400, h: 1600 },
    ({ files }) => files.customFormat(4711, { x1: 400, y1: 200, w: 2400, h: 1600 }),
  ],
];

function clientOf(
  baseUrl: string,
  credentials: Credentials = { kind: 'access-token', accessToken: access_token },
) {
  const { client_id: clientId, client_secret: clientSecret } = secrets;
  return createMediaService({ baseUrl, clientId, clientSecret, credentials });
}

test.for(cases)('sends %s byte for byte', async ([name, values, call]) => {
  const { captured, baseUrl } = await captureBytes();
  const service = clientOf(baseUrl);
  await call(service);
  const fixture = await readWire(name, values);
  expect(captured.map((bytes) => parse(bytes, fixture))).toEqual([fixture]);
});

const grants: readonly [fixture: string, values: Parameters<typeof readWire>[1], Credentials][] = [
  [
    'token-password',
    { ...secrets, username: 'hår bour', password: 'p+w&d' },
    { kind: 'password', username: 'hår bour', password: 'p+w&d' },
  ],
  [
    'token-password-state',
    { ...secrets, username: 'harbour', password: 'quay', state: 'build 7' },
    { kind: 'password', username: 'harbour', password: 'quay', state: 'build 7' },
  ],
  [
    'token-refresh',
    { ...secrets, refresh_token: 'again' },
    { kind: 'refresh-token', refreshToken: 'again' },
  ],
];

test.for(grants)('sends %s byte for byte', async ([name, values, credentials]) => {
  const { captured, baseUrl } = await captureBytes();
  const service = clientOf(baseUrl, credentials);
  await service.usages.report(usage);
  const fixture = await readWire(name, values);
  expect(captured).toHaveLength(2);
  expect(parse(captured[0] ?? '', fixture)).toEqual(fixture);
});

test('sends file-create, file-content and file-update byte for byte', async () => {
  const { captured, baseUrl } = await captureBytes();
  const service = clientOf(baseUrl);
  const content = 'light of the harbour';
  const names = { name: 'Ayşe "Web"', alttext: 'back\\slash' };
  const filename = 'hår "bour".jpg';
  const size = content.length;
  await service.files.upload(Buffer.from(content), { filename, folder: -3, fields: names });
  const fixtures = [
    await readWire('file-create', { access_token, filename, size, folder: -3 }),
    await readWire('file-content', { access_token, id: -812, size, content }),
    await readWire('file-update', { access_token, id: -812, ...names }),
  ];
  expect(captured.map((bytes, index) => parse(bytes, fixtures[index] as WireFixture))).toEqual(
    fixtures,
  );
});

test('sends authorize and token-code byte for byte', async () => {
  const { captured, baseUrl } = await captureBytes();
  const { signIn } = createMediaService({
    baseUrl,
    clientId: 'museum-site',
    clientSecret: secrets.client_secret,
    credentials: { kind: 'authorization-code' },
  });
  const redirectUri = 'http://127.0.0.1:7777/callback';
  const state = 'a-random-state-of-32-characters.';
  await fetch(signIn.authorizationUrl({ redirectUri, state }));
  const code = 'ø & code';
  const query = new URLSearchParams({ code, state });
  await signIn.exchangeCode({ callbackUrl: `${redirectUri}?${query}`, redirectUri, state });
  const client = { client_id: 'museum-site', redirect_uri: redirectUri };
  const fixtures = [
    await readWire('authorize', { ...client, state }),
    await readWire('token-code', { ...client, client_secret: secrets.client_secret, code }),
  ];
  expect(captured.map((bytes, index) => parse(bytes, fixtures[index] as WireFixture))).toEqual(
    fixtures,
  );
});

test('keeps the path of the base URL and drops trailing slashes', async () => {
  const { captured, baseUrl } = await captureBytes();
  const service = clientOf(`${baseUrl}/dam/v//`);
  await service.usages.list(5);
  expect(captured[0]?.split('\r\n')[0]).toBe('GET /dam/v/1/file/5/usage?fields=any HTTP/1.1');
  expect(service.baseUrl).toBe(`${baseUrl}/dam/v`);
});

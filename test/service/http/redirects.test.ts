import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRedirect, isLoopbackHost } from '../../../src/service/http/addresses.ts';
import { sendCall } from '../../../src/service/http/send-call.ts';
import type { SendRequest } from '../../../src/service/http/send-request.ts';
import { createContext } from '../../../src/service/http/service-context.ts';
import type { MediaService, MediaServiceOptions } from '../../../src/service/index.ts';
import { readServiceOptions } from '../../../src/service/service-options.ts';
import {
  bodyOf,
  failingCall,
  failureOf,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';

const found = (location: string, code = 302): Respond => status(code, { location });
const picture: Respond = (response) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end('picture');

const original = ({ files }: MediaService) => files.original(4711);
const textOf = async (work: Parameters<typeof bodyOf>[0]) => String(await bodyOf(work));

describe('a download', () => {
  test.for([301, 302, 303, 307, 308])(
    'follows %s on the same origin with the token',
    async (code) => {
      const service = await startScriptedService({
        respond: (response, request) =>
          (request.url === '/cdn/x?y=1' ? picture : found('/cdn/x?y=1', code))(response, request),
      });
      expect(await textOf(scriptedClient(service.url).files.original(4711))).toBe('picture');
      expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer token-1',
        'Bearer token-1',
      ]);
    },
  );

  test('follows another origin without the token, even back to the first', async () => {
    const service = await startScriptedService({
      respond: (response, request) =>
        (request.url === '/back' ? picture : found(`${other.url}/signed?s=1`))(response, request),
    });
    const other = await startScriptedService({
      respond: (...both) => found(`${service.url}/back`)(...both),
    });
    expect(await textOf(scriptedClient(service.url).files.original(4711))).toBe('picture');
    expect(other.requests).toMatchObject([{ url: '/signed?s=1' }]);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      undefined,
    ]);
  });

  test("doesn't renew the token for a 401 of another origin", async () => {
    const other = await startScriptedService({ respond: status(401) });
    const { error, tokenRequests } = await failingCall(
      { respond: found(`${other.url}/x`) },
      original,
    );
    expect(error).toMatchObject({ code: 'request-refused', status: 401 });
    expect(tokenRequests).toHaveLength(1);
  });

  test('follows five redirects but not a sixth', async () => {
    const hops = (most: number): Respond => {
      let count = 0;
      return (response, request) => {
        count += 1;
        return (count > most ? picture : found(`/hop/${count}`))(response, request);
      };
    };
    const five = await startScriptedService({ respond: hops(5) });
    expect(await textOf(scriptedClient(five.url).files.original(1))).toBe('picture');
    const six = await startScriptedService({ respond: hops(6) });
    expect(await failureOf(scriptedClient(six.url).files.original(1))).toMatchObject({
      code: 'redirect-refused',
      status: 302,
    });
    expect(six.requests).toHaveLength(6);
  });
});

test.for([
  ['a redirect', (url: string): Respond => found(`${url}/cdn/x?sig=8f3a-secret`)],
  [
    'JSON',
    (url: string): Respond =>
      (to) =>
        json(to, { url: `${url}/cdn/x?sig=8f3a-secret` }),
  ],
] as const)('an error after %s has no signature in it', async ([, lead]) => {
  const cdn = await startScriptedService({
    respond: (response, { url }) => json(response, { message: `Cannot GET ${url}` }, 403),
  });
  const service = await startScriptedService({ respond: lead(cdn.url) });
  const client = scriptedClient(service.url, { downloads: 'url', attempts: 1 });
  const error = await failureOf(client.files.original(4711));
  expect(error.message).toContain('Cannot GET /cdn/x?[secret]');
  expect(JSON.stringify(error)).not.toContain('8f3a');
});

test('an error after JSON that is broken, or has two URLs, has neither in it', async () => {
  for (const body of [
    '{"url":"https://cdn.example/x?sig=8f3a-secret"',
    '["https://cdn.example/x?sig=8f3a-secret","https://cdn.example/y?sig=8f3a-secret"]',
  ]) {
    const service = await startScriptedService({
      respond: (to) => void to.writeHead(200, { 'content-type': 'application/json' }).end(body),
    });
    const client = scriptedClient(service.url, { downloads: 'url', attempts: 1 });
    const error = await failureOf(client.files.original(4711));
    expect(error).toMatchObject({ code: 'answer-unexpected' });
    expect(error.message + JSON.stringify(error)).not.toContain('8f3a');
  }
});

/** A service whose downloads are JSON with a URL at `/cdn/…` on another server. */
async function locating(answer: (cdn: string) => unknown, cdn: Respond = picture) {
  const other = await startScriptedService({ respond: cdn });
  const service = await startScriptedService({
    respond: (response, request) =>
      request.url.startsWith('/cdn/')
        ? picture(response, request)
        : json(response, answer(other.url)),
  });
  const client = (options: Partial<MediaServiceOptions> = {}) =>
    scriptedClient(service.url, { downloads: 'url', attempts: 1, ...options });
  return { service, other, client };
}

describe('a download answered with a URL', () => {
  test.for([
    ['a url', (cdn: string) => ({ url: `${cdn}/x` })],
    [
      'a download URL and others',
      (cdn: string) => ({ id: 1, thumb: '/t', downloadURL: `${cdn}/x` }),
    ],
    ['an object in data', (cdn: string) => ({ data: { download_url: `${cdn}/x` } })],
    ['an array of one', (cdn: string) => [{ href: `${cdn}/x` }]],
    ['a text', (cdn: string) => `${cdn}/x`],
    ['the same address twice', (cdn: string) => ({ url: `${cdn}/x`, href: `${cdn}/x` })],
  ] as const)('is fetched without the token: %s', async ([, answer]) => {
    const { service, other, client } = await locating(answer);
    expect(await textOf(client().files.original(4711))).toBe('picture');
    expect(other.requests).toMatchObject([{ method: 'GET', url: '/x' }]);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(service.requests[0]?.headers.authorization).toBe('Bearer token-1');
  });

  test('is fetched with the token on the same origin', async () => {
    const { service, client } = await locating(() => ({ url: '/cdn/x' }));
    expect(await textOf(client().files.customFormat(4711, { w: 1 }))).toBe('picture');
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
    ]);
  });

  test('can redirect further', async () => {
    const { service, client } = await locating(
      (cdn) => ({ url: `${cdn}/x` }),
      (...both) => status(302, { location: `${service.url}/cdn/y` })(...both),
    );
    expect(await textOf(client().files.original(4711))).toBe('picture');
    expect(service.requests.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  test('can still be the bytes', async () => {
    const service = await startScriptedService({ respond: picture });
    const client = scriptedClient(service.url, { downloads: 'url' });
    expect(await textOf(client.files.original(4711))).toBe('picture');
  });

  test.for([
    [
      'redirect-refused',
      "to http://cdn.example. The redirect wasn't followed: the URL isn't https",
      { url: 'http://cdn.example/x?sig=8f3a' },
    ],
    ['redirect-refused', "the host isn't public", { url: 'https://10.0.0.7/x?sig=8f3a' }],
    ['redirect-refused', "the host isn't public", { url: 'https://[::ffff:a00:1]/x?sig=8f3a' }],
    ['redirect-refused', 'contains credentials', { url: 'https://u:sig=8f3a@cdn.example/' }],
    ['redirect-refused', "the URL isn't valid", { url: 'https://?sig=8f3a' }],
    ['request-refused', 'no such file', { error: 'no such file', url: '/placeholder.png' }],
    ['request-refused', 'with 200', { data: { status: 404, url: '/placeholder.png' } }],
    ['answer-unexpected', '{a, b}', { a: 'sig=8f3a', b: 'https://cdn.example/' }],
    ['answer-unexpected', '{url, href}', { url: '/a?sig=8f3a', href: '/b' }],
    ['answer-unexpected', 'one download URL', { url: 'file:///etc/passwd?sig=8f3a' }],
    ['answer-unexpected', 'one download URL', []],
  ] as const)('is refused (%s, %s): %j', async ([code, said, answer]) => {
    const { client } = await locating(() => answer);
    const error = await failureOf(client().files.original(4711));
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(said);
    expect(String(error)).not.toContain('8f3a');
  });
});

describe('a redirect to another origin', () => {
  const publicly = ['93.184.216.34', '2606:2800:220:1::1'];

  test.for([
    [true, 'https://dam.example', 'https://cdn.example/x', publicly],
    [false, 'https://dam.example', 'https://cdn.example/x', ['93.184.216.34', '10.0.0.1']],
    [false, 'https://dam.example', 'https://cdn.example/x', []],
    [false, 'https://dam.example', 'http://cdn.example/x', publicly],
    [false, 'https://dam.example', 'https://user:pass@cdn.example/x', publicly],
    [false, 'https://dam.example', 'file:///etc/passwd', publicly],
    [false, 'https://dam.example', 'https://', publicly],
    [true, 'https://dam.example', 'https://93.184.216.34/x', []],
    [false, 'https://dam.example', 'https://127.0.0.1/x', []],
    [false, 'https://dam.example', 'https://2130706433/x', []],
    [false, 'https://dam.example', 'https://0x7f.1/x', []],
    [false, 'https://dam.example', 'http://localhost:4710/x', publicly],
    [false, 'https://dam.example', 'https://localhost/x', ['127.0.0.1']],
    [false, 'https://dam.example', 'https://[::1]/x', []],
    [true, 'http://127.0.0.1:4710', 'http://localhost:80/x', []],
    [true, 'http://127.0.0.1:4710', 'https://cdn.example/x', publicly],
    [false, 'http://127.0.0.1:4710', 'http://cdn.example/x', publicly],
    [false, 'http://127.0.0.1:4710', 'https://192.168.0.1/x', []],
    [true, 'https://dam.example:8443', '/x', []],
    [false, 'https://dam.example:8443', 'https://dam.example/x', ['10.0.0.1']],
  ] as const)('is followed (%j) from %s to %s at %j', async ([followed, from, location, found]) => {
    const service = new URL(from);
    const lookup = async () => found;
    const redirect = await checkRedirect({ location, from: service, service, lookup });
    expect(redirect.followed).toBe(followed);
  });

  test('only connects to the checked addresses, also after a further redirect', async () => {
    const sent: [string, readonly string[], object][] = [];
    const looked: string[] = [];
    const hops = ['https://cdn.example/a?s=1', '/b', 'https://other.example/c', ''];
    const next = () => {
      const location = hops.shift() ?? '';
      return new Response(null, location ? { status: 302, headers: { location } } : {});
    };
    const credentials = { kind: 'none' } as const;
    const options = readServiceOptions({ baseUrl: 'https://dam.example', credentials });
    const context = {
      ...createContext(options, []),
      send: async (url: URL, { addresses, headers = {} }: Parameters<SendRequest>[1]) => {
        if (addresses) sent.push([url.href, addresses, headers]);
        return next();
      },
      lookup: async (host: string) => {
        looked.push(host);
        return [`93.184.216.${looked.length}`];
      },
    };
    const headers = { 'accept-encoding': 'identity' };
    const request = {
      method: 'GET',
      url: 'https://dam.example/1/file/1/download/0',
      headers,
    } as const;
    const call = { kind: 'download', name: 'asset 1', request } as const;
    const tokens = { current: async () => 'abc', renewed: async () => undefined };
    await sendCall(context, call, { tokens, receive: async () => 'received' });
    expect(sent).toEqual([
      ['https://cdn.example/a?s=1', ['93.184.216.1'], headers],
      ['https://cdn.example/b', ['93.184.216.1'], headers],
      ['https://other.example/c', ['93.184.216.2'], headers],
    ]);
    expect(looked).toEqual(['cdn.example', 'other.example']);
  });

  test("fails if the host can't be resolved", async () => {
    const service = await startScriptedService({ respond: found('https://cdn.example/x') });
    const client = scriptedClient(service.url, {
      lookup: async () => Promise.reject(new Error('getaddrinfo ENOTFOUND cdn.example')),
    });
    expect(await failureOf(client.files.original(1))).toMatchObject({
      code: 'service-unreachable',
      message: expect.stringContaining('cdn.example'),
    });
  });
});

describe('an IP address', () => {
  const from = new URL('https://dam.example');
  const isPublic = async (address: string) => {
    const redirect = { location: 'https://cdn.example/', from, service: from };
    return (await checkRedirect({ ...redirect, lookup: async () => [address] })).followed;
  };
  const publicOf = async (addresses: string[]) => {
    const found = await Promise.all(addresses.map(isPublic));
    return addresses.filter((_, at) => found[at]);
  };

  test('is public unless it is in a special network', async () => {
    const special = `0.0.0.0 10.255.255.255 100.64.0.1 127.0.0.1 169.254.169.254 172.31.0.1
      192.0.0.8 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255
      :: ::1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::a00:1 100::1 2001:db8::1 2002:a00:1::
      fc00::1 fdff::1 fe80::1 ff02::1 cdn.example`;
    expect(await publicOf(['', ...special.split(/\s+/)])).toEqual([]);
    const open = `1.1.1.1 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.167.0.1
      223.255.255.255 2606:2800:220:1::1 ::ffff:8.8.8.8 64:ff9b::808:808`.split(/\s+/);
    expect(await publicOf(open)).toEqual(open);
  });

  test('is treated the same as IPv4, IPv4-mapped IPv6 and NAT64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.ipV4(), async (address) => {
        expect(isIPv4(address)).toBe(true);
        const [plain, mapped, nat64] = await Promise.all(
          [address, `::ffff:${address}`, `64:ff9b::${address}`].map(isPublic),
        );
        expect([mapped, nat64]).toEqual([plain, plain]);
      }),
    );
  });

  test.for([
    [true, 'localhost'],
    [true, 'app.localhost'],
    [true, '127.8.9.1'],
    [true, '[::1]'],
    [false, 'localhost.example'],
    [false, '127.0.0.1.example'],
    [false, '10.0.0.1'],
    [false, '[::2]'],
  ] as const)('is on this machine (%j): %s', ([loopback, host]) => {
    expect(isLoopbackHost(host)).toBe(loopback);
  });
});

import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../src/service/http/redactor.ts';
import type { MediaServiceOptions } from '../../../src/service/index.ts';
import {
  failureOf,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
  usage,
} from '../scripted-service.ts';

const secrets = {
  clientSecret: 'cli&ent "sec" ret+ü',
  password: 'pass/word?91c4\\',
  refreshToken: 'refresh%20token=0',
  accessToken: 'fixed-access-token',
  issuedToken: 'issued.access-token',
  issuedRefreshToken: 'issued refresh token',
};

/** All texts that an error can show. */
function shown(error: unknown): string {
  const texts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    texts.push(each.message, String(each.stack), JSON.stringify(each));
  }
  return [
    ...texts,
    String(error),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspect(error, { depth: 20, showHidden: true, getters: true }),
  ].join('\n');
}

function expectNoSecret(error: unknown): void {
  const text = shown(error);
  for (const secret of Object.values(secrets)) {
    const escaped = JSON.stringify(secret).slice(1, -1);
    const form = new URLSearchParams([['', secret]]).toString().slice(1);
    const basic = btoa(`museum-site:${form}`);
    for (const written of [
      secret,
      escaped,
      form,
      encodeURIComponent(secret),
      inspect(secret),
      basic,
    ]) {
      expect(text).not.toContain(written);
    }
  }
}

const credentials: MediaServiceOptions['credentials'][] = [
  { kind: 'password', username: 'harbour', password: secrets.password },
  { kind: 'refresh-token', refreshToken: secrets.refreshToken },
  { kind: 'access-token', accessToken: secrets.accessToken },
];
const issue: Respond = (response) =>
  json(response, {
    access_token: secrets.issuedToken,
    refresh_token: secrets.issuedRefreshToken,
  });
/** A service that repeats its requests in every form. */
const echo =
  (code: number): Respond =>
  (response, { url, headers, body }) => {
    const form = Object.fromEntries(new URLSearchParams(body || url.split('?')[1]));
    const said = [headers.authorization?.split(' '), ...Object.values(form), body, url, form];
    json(response, { message: said.map((each) => JSON.stringify(each)).join(' ') }, code);
  };
const echoText =
  (code: number): Respond =>
  (response, { headers, url, body }) =>
    void response
      .writeHead(code)
      .end(`${headers.authorization} ${decodeURIComponent(url)} ${body}`);

const failures: [string, { token?: Respond; respond?: Respond }][] = [
  ['a refused token request', { token: echo(401) }],
  ['a failed token request', { token: echoText(500) }],
  ['a token answer that fits nothing', { token: echo(200) }],
  ['a token that no header can hold', { token: (r) => json(r, { access_token: 'line\nbreak' }) }],
  ['a replaced refresh token', { token: issue }],
  ['a refusal', { token: issue, respond: echo(400) }],
  ['a refusal in text', { token: issue, respond: echoText(422) }],
  ['an unaccepted token', { token: issue, respond: echo(401) }],
  ['a failure', { token: issue, respond: echo(500) }],
  [
    'a stated failure',
    {
      token: issue,
      respond: (r, { headers }) => json(r, { error: headers.authorization, headers }),
    },
  ],
  ['a lost answer', { respond: (response) => void response.destroy() }],
  ['a refused redirect', { respond: status(302, { location: 'https://10.0.0.1/?t=fixed' }) }],
];

test.for(
  failures.flatMap(([name, script]) =>
    (['form', 'json', 'basic', 'query'] as const).map(
      (encoding) => [name, encoding, script] as const,
    ),
  ),
)('no secret is in the error of %s (%s)', async ([, tokenEncoding, script]) => {
  for (const each of credentials) {
    const service = await startScriptedService(script);
    const client = scriptedClient(service.url, {
      clientSecret: secrets.clientSecret,
      credentials: each,
      tokenEncoding,
      attempts: 1,
    });
    const [report] = await Promise.allSettled([client.usages.report(usage)]);
    if (report.status === 'rejected') expectNoSecret(report.reason);
    else expect(service.requests).not.toEqual([]);
  }
});

test('no secret is in the error of a fetch that throws its arguments', async () => {
  const client = scriptedClient('https://dam.example', {
    clientSecret: secrets.clientSecret,
    credentials: { kind: 'password', username: 'harbour', password: secrets.password },
    tokenEncoding: 'query',
    fetch: async (input, init) => {
      const cause = Object.assign(new Error(`no route to ${input}`), { init, code: 'EROUTE' });
      throw new TypeError(`cannot send ${JSON.stringify(init)} ${secrets.password}`, { cause });
    },
  });
  const error = await failureOf(client.usages.report(usage));
  expect(error).toMatchObject({
    code: 'service-unreachable',
    cause: { cause: { code: 'EROUTE', message: expect.stringContaining('no route to https://') } },
  });
  expectNoSecret(error);
});

test('no secret is in the error for invalid options', () => {
  const wrong = { clientSecret: secrets.clientSecret, concurrency: -1, password: secrets.password };
  const [kind, accessToken] = ['access-token', `${secrets.accessToken}\n`] as const;
  for (const options of [wrong, { credentials: { kind, accessToken } }]) {
    try {
      scriptedClient('https://dam.example', options);
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'options-invalid' });
      expectNoSecret(thrown);
    }
  }
});

test('a secret is masked in an error that has it in its name, its code or a cause', () => {
  const { redactError } = createRedactor(['quay-4711-tide']);
  const cause = new Error('no quay-4711-tide');
  const thrown = Object.assign(new Error('quay-4711-tide', { cause }), {
    name: 'quay-4711-tideError',
    code: 'E_quay-4711-tide',
  });
  const masked = redactError(thrown);
  expect(masked).toMatchObject({ code: 'E_[secret]', name: '[secret]Error' });
  expect(shown(masked)).not.toContain('quay-4711-tide');
});

test('a secret is masked in any text, in each form', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: 'grapheme' }), fc.string(), (secret, around) => {
      fc.pre(!around.includes(secret) && !'[secret]'.includes(secret));
      const { redact } = createRedactor([secret]);
      const encoded = encodeURIComponent(secret.toWellFormed());
      const said = redact(`${around} ${secret} ${encoded} ${JSON.stringify(secret)}`);
      expect(said).not.toContain(secret);
      expect(said).not.toContain(` ${encoded} `);
    }),
  );
});

test.for([
  ['the password is harbour', 'the password is [secret]'],
  ['harbour.', '[secret].'],
  ['{"said":"harbour"}', '{"said":"[secret]"}'],
  ['?p=%20harbour&x', '?p=%20[secret]&x'],
  [String.raw`line\nharbour\n`, String.raw`line\n[secret]\n`],
  ['editor:harbour', 'editor:[secret]'],
  ['There are no harbours here', 'There are no harbours here'],
  ['harbourmaster and 2harbour', 'harbourmaster and 2harbour'],
])('a secret that is a word is only masked as a whole word: %s', ([text = '', redacted]) => {
  expect(createRedactor(['harbour']).redact(text)).toBe(redacted);
});

/** How services write a text into another one. Each leaves a form of it that someone can decode. */
const writers: [string, (text: string) => string][] = [
  ['HTML', (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)],
  [
    'HTML with names',
    (text) =>
      text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? '&quot;'),
  ],
  ['HTML twice', (text) => text.replaceAll('&', '&amp;amp;').replaceAll('<', '&amp;lt;')],
  ['HTML in hex', (text) => text.replace(/\W/gu, (c) => `&#x${c.codePointAt(0)?.toString(16)};`)],
  [
    'JSON in ASCII',
    (text) =>
      JSON.stringify(text).replace(
        /[<>&'\u007f-\uffff]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
      ),
  ],
  ['JSON with escaped slashes', (text) => JSON.stringify(text).replaceAll('/', '\\/')],
  ['JSON in JSON', (text) => JSON.stringify(JSON.stringify({ text }))],
  [
    'a URL in lower case',
    (text) => encodeURIComponent(text).replace(/%../g, (c) => c.toLowerCase()),
  ],
  ['a URL in a URL', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['a form', (text) => new URLSearchParams({ text }).toString()],
];

test.for(writers)('a secret in %s is masked', ([, write]) => {
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: 'binary' }), (secret) => {
      fc.pre(secret.isWellFormed() && !/^\p{L}*$/u.test(secret));
      const { redact } = createRedactor([secret]);
      expect(redact(`(${write(secret)})`)).not.toContain(write(secret).replace(/^"|"$/g, ''));
    }),
  );
  const secret = `pa/ss"wörd<&>'91\\c4`;
  expect(createRedactor([secret]).redact(write(secret))).not.toMatch(/wör|91|c4|ss/);
});

test.for(['base64', 'base64url'] as const)('a secret in %s is masked', (encoding) => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, unit: 'binary' }),
      fc.string({ maxLength: 8 }),
      fc.string({ maxLength: 8 }),
      (secret, before, after) => {
        fc.pre(secret.isWellFormed());
        const encoded = Buffer.from(before + secret + after).toString(encoding);
        const said = createRedactor([secret]).redact(`(${encoded})`);
        // What is left belongs to the neighbours, with at most a byte of the secret on each side.
        const rest = Buffer.from(before + after).length;
        expect(said.replace('[secret]', '').length).toBeLessThanOrEqual(((rest + 4) * 4) / 3 + 6);
        expect(said).toContain('[secret]');
      },
    ),
  );
});

test('any other secret is masked everywhere', () => {
  expect(createRedactor(['pa55word']).redact('xpa55wordx')).toBe('x[secret]x');
});

test('a secret inside another leaves nothing of the longer one', () => {
  expect(createRedactor(['token', 'token-and-more']).redact('token-and-more')).toBe('[secret]');
});

test.for([
  ['Authorization: Bearer abcdefghijklmnop.qr', 'Authorization: Bearer [secret]'],
  ['{"access_token":"abc","expires_in":1}', '{"access_token":"[secret]","expires_in":1}'],
  ['refresh_token=abc&state=1', 'refresh_token=[secret]&state=1'],
  ['The bearer token has expired', 'The bearer token has expired'],
  ['password=abc&state=1', 'password=[secret]&state=1'],
  ['{"password":"abc"}', '{"password":"[secret]"}'],
  ['password: it must have 12 characters', 'password: it must have 12 characters'],
])('an unknown token is recognized by its place: %s', ([text = '', redacted]) => {
  expect(createRedactor().redact(text)).toBe(redacted);
});

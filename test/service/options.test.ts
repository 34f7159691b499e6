import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMediaService, type MediaServiceOptions } from '../../src/service/index.ts';
import { scriptedClient } from './scripted-service.ts';

const files = scriptedClient('https://dam.example/api/').files;

describe('the options', () => {
  test.for([
    'https://dam.example',
    'http://127.0.0.1:4710',
    'http://localhost:4710/',
    'http://[::1]:4710',
  ])('accept %s', (baseUrl) => {
    expect(scriptedClient(baseUrl).baseUrl).toBe(baseUrl.replace(/\/$/, ''));
  });

  test.for(['http://dam.example', 'http://10.0.0.1', 'http://127.0.0.1.example'])(
    'refuse %s, which is neither https nor of this machine',
    (url) => {
      const insecure = expect.objectContaining({
        code: 'options-invalid',
        message: expect.stringContaining(`${url}: expected an https URL`),
      });
      expect(() => scriptedClient(url)).toThrow(insecure);
      expect(() => scriptedClient('https://dam.example', { accountsUrl: url })).toThrow(insecure);
    },
  );

  test('list all problems at once', () => {
    const options = {
      baseUrl: 'https://user:pass@dam.example/?a=1',
      clientId: '',
      clientSecret: 'x',
      credentials: { kind: 'password', username: '', password: 'x' },
      concurrency: 0,
      timeLimit: 2 ** 31,
      retries: 3,
    } as unknown as MediaServiceOptions;
    for (const name of [
      'baseUrl: expected a URL without credentials',
      'credentials.username: ',
      'concurrency: ',
      'timeLimit: ',
      '"retries"',
    ]) {
      expect(() => createMediaService(options)).toThrow(
        expect.objectContaining({
          code: 'options-invalid',
          message: expect.stringContaining(name),
        }),
      );
    }
  });

  test.for([
    ...['baseUrl', 'accountsUrl', 'authUrl', 'clientId', 'clientSecret', 'credentials'],
    ...['tokenEncoding', 'downloads', 'uploadFields', 'concurrency', 'timeLimit', 'deadline'],
    ...['attempts', 'maxDownloadBytes', 'maxAnswerBytes', 'tokenStore'],
    ...['fetch', 'clock', 'sleep', 'random', 'lookup'],
  ])('require a non-empty text for %s', (name) => {
    for (const value of ['', null, [], 1n, Symbol('x'), Number.NaN, 2 ** 60]) {
      expect(() => scriptedClient('https://dam.example', { [name]: value })).toThrow(
        expect.objectContaining({ code: 'options-invalid' }),
      );
    }
  });

  test.for(['clientId', 'clientSecret'])('require %s, except with an access token', (name) => {
    expect(() => scriptedClient('https://dam.example', { [name]: '' })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('with clientId and clientSecret'),
      }),
    );
    const credentials = { kind: 'access-token', accessToken: 'a' } as const;
    expect(() => scriptedClient('https://dam.example', { [name]: '', credentials })).not.toThrow();
  });
});

describe('a download URL', () => {
  test('of a custom format without parameters has no query', () => {
    expect(files.customFormatUrl(4711, {})).toBe('https://dam.example/api/1/file/4711/download/-1');
  });

  test('keeps all parameters as given', () => {
    const parameters = fc.dictionary(
      fc.stringMatching(/^[a-z]\w{0,5}$/),
      fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' })),
    );
    fc.assert(
      fc.property(parameters, (given) => {
        const { searchParams } = new URL(files.customFormatUrl(1, given));
        const expected = Object.entries(given).map(([name, value]) => [name, String(value)]);
        expect([...searchParams]).toEqual(expected);
      }),
    );
  });
});

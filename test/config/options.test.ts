import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../src/config/options.ts';
import { hasCredentials, serviceSettings } from '../../src/config/service-settings.ts';
import { MediaAssetError } from '../../src/errors/errors.ts';
import { openSiteService } from '../../src/service/open-media-service.ts';

const environment = {
  MEDIA_ASSET_BASE_URL: 'https://media.example/',
  MEDIA_ASSET_CLIENT_ID: 'site',
  MEDIA_ASSET_CLIENT_SECRET: 'secret-1',
  MEDIA_ASSET_USERNAME: 'editor',
  MEDIA_ASSET_PASSWORD: 'secret-2',
};

function errorOf(act: () => unknown): MediaAssetError {
  try {
    act();
  } catch (error) {
    if (error instanceof MediaAssetError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('options', () => {
  test('are complete without any if the environment configures the service', () => {
    const options = resolveOptions(undefined, environment);

    expect(serviceSettings(options)).toEqual({
      ...{ baseUrl: 'https://media.example', accountsUrl: undefined, authUrl: undefined },
      ...{ clientId: 'site', clientSecret: 'secret-1', tokenEncoding: 'form', downloads: 'bytes' },
      tokenPath: '/1/oauth2/token',
      credentials: { kind: 'password', username: 'editor', password: 'secret-2' },
      tokens: { location: undefined, key: undefined },
      uploadFields: { filename: 'filename', size: 'size', folder: 'folder' },
      ...{ concurrency: 8, maxDownloadBytes: 536_870_912 },
      downloadTimeLimit: 1_800_000,
    });
    expect(options).toMatchObject({
      delivery: 'static',
      unavailable: 'fail',
      maxStale: 7,
      report: { when: 'production', onError: 'warn', maxUnsent: 7, exclude: [], description: '' },
    });
  });

  test('can come from the environment: token encoding, downloads, upload fields', () => {
    const { service } = resolveOptions(undefined, {
      MEDIA_ASSET_TOKEN_ENCODING: 'query',
      MEDIA_ASSET_DOWNLOADS: 'url',
      MEDIA_ASSET_UPLOAD_FIELDS: 'title,bytes,parent',
    });
    const uploadFields = { filename: 'title', size: 'bytes', folder: 'parent' };
    expect(service).toMatchObject({ tokenEncoding: 'query', downloads: 'url', uploadFields });
  });

  test.each([
    ['MEDIA_ASSET_TOKEN_ENCODING', 'xml', "expected one of 'form', 'json', 'basic', 'query'"],
    ['MEDIA_ASSET_DOWNLOADS', 'link', "expected one of 'bytes', 'url'"],
    ['MEDIA_ASSET_UPLOAD_FIELDS', 'title', "such as 'title,bytes,parent'"],
    ['MEDIA_ASSET_UPLOAD_FIELDS', 'a,a,b', 'expected three different names'],
  ])('refuse %s=%s', (name, value, expected) => {
    const { message } = errorOf(() => resolveOptions({}, { [name]: value }));
    expect(message).toContain(`${name}: `);
    expect(message).toContain(expected);
    expect(message).toContain(`received "${value}"`);
  });

  test.each(['Never', 'off', 'false'])(
    'refuse MEDIA_ASSET_REPORT=%s, which may be meant to override the config',
    (value) => {
      const environment = { MEDIA_ASSET_REPORT: value };
      for (const report of [undefined, 'always']) {
        const { message } = errorOf(() => resolveOptions({ report }, environment));
        expect(message).toMatch(
          /^.*MEDIA_ASSET_REPORT: expected one of 'production', .*received "/s,
        );
      }
      expect(resolveOptions({ report: 'always' }, { MEDIA_ASSET_REPORT: '' })).toBeTruthy();
    },
  );

  test.each([undefined, 'always', { when: 'deploy' }, { project: 'Museum' }])(
    "with report %o in the config, the environment's `never` switches reports off",
    (report) => {
      const off = resolveOptions({ report }, { MEDIA_ASSET_REPORT: 'never' });
      expect(off.report.when).toBe('never');
      const on = resolveOptions({ report: { when: 'never' } }, { MEDIA_ASSET_REPORT: 'always' });
      expect(on.report.when).toBe('never');
    },
  );

  test.each([
    ['option if both are set', { service: { clientId: 'mine' } }, 'mine'],
    ['environment if the option is missing', { service: {} }, 'site'],
    ['environment if the option is undefined', { service: { clientId: undefined } }, 'site'],
  ])('use the %s', (_, input, expected) => {
    expect(resolveOptions(input, environment).service.clientId).toBe(expected);
  });

  test.each([
    ['a word', { report: 'deploy' }],
    ['an object', { report: { when: 'deploy' } }],
  ])('accept report as %s', (_, input) => {
    const { report } = resolveOptions(input, { MEDIA_ASSET_PROJECT: 'Museum' });
    expect(report).toMatchObject({ when: 'deploy', project: 'Museum' });
  });

  const rights = { fields: ['expires'], read: () => ({ state: 'allowed' as const }) };

  test.each<[path: string, least: number, most: number, next?: object]>([
    ['maxStale', 0, 3650],
    ['service.concurrency', 1, 64],
    ['service.maxDownloadBytes', 1, 2 ** 40],
    ['service.downloadTimeLimit', 1, 86_400],
    ['report.maxUnsent', 0, 3650],
    ['report.maxIdsPerRequest', 1, 10_000],
    ['rights.warnDays', 0, 3650, rights],
  ])('%s is a number from %d to %d', (path, least, most, next = {}) => {
    const [name = '', group = ''] = path.split('.').reverse();
    const input = (value: number) =>
      group === '' ? { [name]: value } : { [group]: { ...next, [name]: value } };
    for (const value of [least, most])
      expect(resolveOptions(input(value), {})).toHaveProperty(path, value);
    for (const value of [least - 1, most + 1])
      expect(errorOf(() => resolveOptions(input(value), {})).message).toContain(
        `${path}: expected`,
      );
  });

  test('leave the input unchanged', () => {
    const input = Object.freeze({ service: Object.freeze({}), report: 'never' });
    resolveOptions(input, environment);
    expect(input).toEqual({ service: {}, report: 'never' });
  });

  test('report every problem at once, each with its path, the expected and the received value', () => {
    const error = errorOf(() =>
      resolveOptions(
        {
          delivry: 'static',
          crops: 'here',
          maxStale: -1,
          service: { baseUrl: 'media.example', concurrency: 0, pasword: 'x' },
          report: { when: 'sometimes' },
        },
        { MEDIA_ASSET_ACCOUNTS_URL: 'accounts.example' },
      ),
    );

    expect(error.code).toBe('options-invalid');
    const [, ...problems] = error.message.split('\n  - ');
    expect(problems.sort()).toEqual([
      'MEDIA_ASSET_ACCOUNTS_URL: expected an absolute http or https URL, received "accounts.example"',
      "crops: expected one of 'service', 'local', received \"here\"",
      'delivry: unknown option. Valid options: service, delivery, crops, customFormat, svg, unavailable, changed, withoutCredentials, maxStale, reuse, images, presets, record, sourceLabels, rights, sitemap, cacheRules, toolbar, files, report',
      'maxStale: expected a number of days, received -1',
      "report.when: expected one of 'production', 'deploy', 'always', 'never', received \"sometimes\"",
      'service.baseUrl: expected an absolute http or https URL, received "media.example"',
      'service.concurrency: expected a whole number from 1 to 64, received 0',
      expect.stringMatching(
        /^service\.pasword: unknown option\. Valid options: baseUrl, .*, password, /,
      ),
    ]);
  });

  const read = () => ({});

  test.each<[string, object, string]>([
    [
      'an unknown policy without fields',
      { unknown: 'warn' },
      'rights.unknown: expected `rights.fields` with it',
    ],
    [
      'any other rule without fields',
      { forbidden: 'hide' },
      'rights.forbidden: expected `rights.fields` with it',
    ],
    ['a function without fields', { read }, 'rights.read: expected `rights.fields` with it'],
    [
      'fields without a function',
      { fields: ['a'] },
      'rights.read: expected a function with `rights.fields`',
    ],
    [
      'no field',
      { fields: [], read },
      'rights.fields: expected a list of 1 to 99 field names, received []',
    ],
    [
      'an optional field that is not one',
      { fields: ['a'], read, optional: ['b'] },
      'rights.optional: expected names of `rights.fields`, not b',
    ],
    [
      'an unknown key',
      { fields: ['a'], read, field: 'a' },
      'rights.field: unknown option. Valid options: fields, read, optional, forbidden, unknown, warnDays',
    ],
  ])('refuse a rule about rights with %s', (_, rights, problem) => {
    const { message } = errorOf(() => resolveOptions({ rights }, {}));
    expect(message.split('\n  - ').slice(1)).toEqual([problem]);
  });

  test("can't keep old images if pages show the service's own URLs", () => {
    const { message } = errorOf(() => resolveOptions({ changed: 'keep', delivery: 'service' }, {}));
    const problem = "changed: expected 'warn' or 'fail' with `delivery: 'service'`";
    expect(message.split('\n  - ').slice(1)).toEqual([problem]);
    expect(resolveOptions({ changed: 'keep' }, {}).changed).toBe('keep');
  });

  test('forbid assets whose rights are unknown by default, and need no record for it', () => {
    expect(resolveOptions({ rights: { fields: ['a'], read } }, {}).rights).toEqual({
      ...{ fields: ['a'], read, optional: [] },
      ...{ unknown: 'forbid', warnDays: 30 },
    });
    expect(resolveOptions({ rights: {} }, {}).rights.fields).toBeUndefined();
  });

  test("never show a secret's value, even if it's invalid", () => {
    const error = errorOf(() => resolveOptions({ service: { clientSecret: ['hunter2'] } }, {}));
    expect(error.message).toContain('service.clientSecret: expected a string');
    expect(error.message).not.toContain('hunter2');
  });

  test.each<[unknown, Record<string, string>, string]>([
    [{ redis: 'http://:hunter2@redis.example' }, {}, 'report.store.redis: expected a Redis URL'],
    [{ redis: 'redis://:hunter2@redis.example/name' }, {}, 'report.store.redis: expected'],
    [{ redis: 'redis://:hunter2%@redis.example' }, {}, 'written as %25'],
    [
      undefined,
      { MEDIA_ASSET_STATE_URL: 'rediss://ada:100%hunter2@redis.example' },
      'in a password written as %25, %2F, %3F and %23, received a hidden value',
    ],
    [{ redis: 'redis://ada:12/hunter2@redis.example' }, {}, 'written as %25'],
    [{ redis: 'redis://' }, {}, 'report.store.redis: expected a Redis URL'],
    [{ redis: ['redis://:hunter2@redis.example'] }, {}, 'report.store: expected { file: … }'],
    ['redis://:hunter2@redis.example', {}, 'report.store: expected { file: … }'],
    [{ file: '' }, {}, 'report.store.file: expected a string'],
    [{ setItem() {}, getItem: 'hunter2' }, {}, 'report.store: expected { file: … }'],
    [
      undefined,
      { MEDIA_ASSET_STATE_URL: 'https://hunter2.example' },
      'STATE_URL: expected a Redis',
    ],
    [undefined, { MEDIA_ASSET_TOKEN_STORE: 'https://hunter2.example' }, 'TOKEN_STORE: expected'],
    [undefined, { MEDIA_ASSET_TOKEN_STORE: 'redis://:hunter2%@redis.example' }, 'written as %25'],
    [undefined, { MEDIA_ASSET_TOKEN_KEY: 'hunter2' }, 'MEDIA_ASSET_TOKEN_KEY: expected'],
  ])('refuse the store %o %o, and show no password', (store, variables, said) => {
    const error = errorOf(() => resolveOptions({ report: { store } }, variables));
    expect(error.message).toContain(said);
    expect(error.message).not.toContain('hunter2');
  });

  test("accept a store's password with % written as %25", () => {
    const redis = 'redis://:100%25hunter2@redis.example';
    expect(resolveOptions({ report: { store: { redis } } }, {}).report.store).toEqual({ redis });
  });

  test.each([
    ['https://user:hunter2@media.example', 'without credentials'],
    ['https://user:12/hunter2@media.example', 'without credentials'],
    ['https://user:12345678', 'an absolute http or https URL'],
    ['user:12345678', 'an absolute http or https URL'],
    ['user:hunter2@media.example', 'an absolute http or https URL'],
    ['https://media.example?token=hunter2', 'without ? and #'],
    ['media.example?token=hunter2', 'an absolute http or https URL'],
  ])('refuse the URL %s, and show no password', (address, expected) => {
    const service = { baseUrl: address, accountsUrl: address, authUrl: address };
    const { message } = errorOf(() => resolveOptions({ service }, {}));
    for (const name of Object.keys(service)) expect(message).toContain(`service.${name}: expected`);
    expect(message).toContain(expected);
    expect(message).not.toMatch(/hunter2|12345678/);
  });
});

test('an empty string counts as unset, in options and in variables', () => {
  const service = { baseUrl: '', clientId: '', clientSecret: '', refreshToken: '' };
  expect(resolveOptions({ service }, {}).service).toEqual(resolveOptions({}, {}).service);
  const variables = { MEDIA_ASSET_CLIENT_ID: 'museum', MEDIA_ASSET_BASE_URL: '' };
  expect(resolveOptions({ service }, variables).service).toMatchObject({ clientId: 'museum' });
  expect(hasCredentials(resolveOptions({ service }, {}))).toBe(false);
});

test.each(['CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN', 'USERNAME', 'PASSWORD'])(
  'MEDIA_ASSET_%s alone is an incomplete set of credentials',
  (name) => {
    const options = resolveOptions({}, { [`MEDIA_ASSET_${name}`]: 'a' });
    const open = () => openSiteService(options, {}, { onFinding() {} });
    expect(errorOf(open).code).toBe('service-not-configured');
  },
);

test.each([
  ['the options', 'https://media.example', 'https://last.example', 'https://media.example'],
  ['the last build', undefined, 'https://last.example', 'https://last.example'],
  ['nothing', undefined, undefined, 'https://service.invalid'],
])('without credentials, %s gives the base URL', (_, own, last, expected) => {
  const options = resolveOptions({ service: { baseUrl: own } }, {});
  const given = { onFinding() {}, lastService: () => last };
  expect(openSiteService(options, {}, given).baseUrl).toBe(expected);
});

describe('service settings', () => {
  test('name every missing option', () => {
    const error = errorOf(() => serviceSettings(resolveOptions({}, {})));
    expect(error.code).toBe('service-not-configured');
    for (const name of ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN', 'PASSWORD']) {
      expect(error.message).toContain(`MEDIA_ASSET_${name}`);
    }
  });

  test.each([{}, { MEDIA_ASSET_ACCESS_TOKEN: 'a' }])(
    'name what a sign-in needs, with any credentials: %j',
    (variables) => {
      const options = resolveOptions({}, variables);
      expect(errorOf(() => serviceSettings(options, { signIn: true })).message).toBe(
        'No Media Asset Service is configured: service.baseUrl (MEDIA_ASSET_BASE_URL), service.clientId (MEDIA_ASSET_CLIENT_ID), service.clientSecret (MEDIA_ASSET_CLIENT_SECRET) missing.',
      );
    },
  );

  test.each([
    ['MEDIA_ASSET_PASSWORD', { MEDIA_ASSET_PASSWORD: undefined }],
    ['MEDIA_ASSET_USERNAME', { MEDIA_ASSET_USERNAME: undefined }],
  ])('name %s if only the other half is set', (name, without) => {
    const error = errorOf(() =>
      serviceSettings(resolveOptions({}, { ...environment, ...without })),
    );
    expect(error.message).toContain(name);
  });

  test('name only the client secret if nothing else is missing, with the client ID in the config', () => {
    const options = resolveOptions(
      { service: { clientId: 'site' } },
      { MEDIA_ASSET_BASE_URL: 'https://media.example.org', MEDIA_ASSET_REFRESH_TOKEN: 'r' },
    );
    const open = () => openSiteService(options, {}, { onFinding() {} });
    expect(errorOf(open).message).toBe(
      'No Media Asset Service is configured: service.clientSecret (MEDIA_ASSET_CLIENT_SECRET) missing.',
    );
  });

  test('use a stored sign-in if there are no credentials', () => {
    const none = { MEDIA_ASSET_USERNAME: undefined, MEDIA_ASSET_PASSWORD: undefined };
    const { credentials } = serviceSettings(resolveOptions({}, { ...environment, ...none }));
    expect(credentials).toEqual({ kind: 'authorization-code' });
  });

  test.each([
    ['access-token', { MEDIA_ASSET_ACCESS_TOKEN: 'a', MEDIA_ASSET_REFRESH_TOKEN: 'r' }],
    ['refresh-token', { MEDIA_ASSET_REFRESH_TOKEN: 'r' }],
    ['password', {}],
  ])('choose %s', (kind, more) => {
    const options = resolveOptions({}, { ...environment, ...more });
    expect(serviceSettings(options).credentials.kind).toBe(kind);
  });
});

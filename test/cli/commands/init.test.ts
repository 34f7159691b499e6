import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { FileMetadata } from '../../../src/service/requests.ts';
import { emulatorClient } from '../../assets/open-images.ts';
import type { SettingChanges } from '../../support/bends/bent-emulator.ts';
import { publicClients } from '../../support/bends/profiles.ts';
import { openInteractiveTerminal } from '../../support/process/interactive-terminal.ts';
import { forwardRequest } from '../../support/service/forward-request.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { startService } from '../../support/service/start-service.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const emulator = await startService([{ path: 'harbour/quay.jpg', width: 1200, height: 800 }]);

const folder = useBuiltFolder();
const read = (file: string) => readFile(folder.path(file), 'utf8');

const config = 'export default { integrations: [] };\n';

beforeEach(() => folder.write('astro.config.mjs', config));

describe('a service', () => {
  const plain = { tokenEncoding: 'form', downloads: 'bytes', crops: 'size', listsUsages: true };
  test.each([
    ['as the interface shows it', {}, plain],
    [
      'that wants Basic authentication',
      { tokenEncoding: 'basic' },
      { ...plain, tokenEncoding: 'basic' },
    ],
    ['that takes JSON', { tokenEncoding: 'json' }, { ...plain, tokenEncoding: 'json' }],
    ['that redirects', { downloads: 'redirect' }, plain],
    ['that answers with URLs', { downloads: 'json' }, { ...plain, downloads: 'url' }],
    ['that cuts corners', { customFormat: 'corners' }, { ...plain, crops: 'corners' }],
    ['that lists no usages', { usageList: 'missing' }, { ...plain, listsUsages: false }],
    [
      'of public clients',
      publicClients,
      { tokenEncoding: 'basic', downloads: 'url', crops: 'corners', listsUsages: true },
    ],
  ] as const)('%s is known after at most 10 requests', async (_, bends, facts) => {
    const service = await startService([{ path: 'quay.jpg', width: 1200, height: 800 }], bends);
    const { stdout, exitCode } = await folder.command(['init', '--json'], service.env);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ...facts, written: false });
    const sent = service.log().filter(({ path }) => path.startsWith('/1/'));
    expect(sent.length).toBeLessThanOrEqual(10);
    await service.stop();
  });

  test('that wants its secrets in the URL gets them only if someone asks for it', async () => {
    const image = { path: 'quay.jpg', width: 1200, height: 800 };
    const service = await startService([image], { tokenEncoding: 'query' });
    const init = (env: object) => folder.command(['init', '--json'], { ...service.env, ...env });
    const queries = () => new Set(service.log().map(({ query }) => query));
    expect((await init({})).exitCode).toBe(1);
    expect(queries()).toEqual(new Set(['']));
    const { stdout } = await init({ MEDIA_ASSET_TOKEN_ENCODING: 'query' });
    expect(JSON.parse(stdout)).toMatchObject({ ...plain, tokenEncoding: 'query' });
    expect(queries()).toContain('<left out>');
    await service.stop();
  });

  test.each([
    [401, ''],
    [400, 'Bad Request'],
    [401, '{"error":"invalid_client"}'],
    [403, '{"message":"Forbidden"}'],
    [415, '{"title":"Unsupported Media Type"}'],
    [422, '{"errors":["grant"]}'],
  ])('that refuses with %i and %j gets no secret in a URL', async (status, answer) => {
    const asked = new Set<string | undefined>();
    const service = await startLocalServer(({ url }, response) => {
      asked.add(url);
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
    });
    const { url } = service;
    const env = { ...emulator.env, MEDIA_ASSET_BASE_URL: url, MEDIA_ASSET_ACCOUNTS_URL: url };
    expect((await folder.command(['init'], env)).exitCode).toBe(1);
    expect(asked).toEqual(new Set(['/1/oauth2/token']));
    await service.close();
  });

  test.each([
    ['a password', { MEDIA_ASSET_PASSWORD: 'lantern-oil' }],
    ['a refresh token', { MEDIA_ASSET_REFRESH_TOKEN: 'lantern-oil' }],
  ])('that has read %s gets no secret in a URL', async (_, secrets) => {
    emulator.clearLog();
    const env = { ...emulator.env, ...secrets };
    const { exitCode, stderr } = await folder.command(['init'], env);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('refused the credentials')]);
    expect(emulator.log().map(({ path, query }) => [path, query])).toEqual([
      ['/1/oauth2/token', ''],
    ]);
  });
});

describe('the rule about rights', () => {
  const rules = {
    none: `rights: {
    // No field about consent or a license was found, so all assets are allowed. If there's one:
    // fields: ['…'], read: (fields) => ({ state: …, until: … }),
  }`,
    asAnswered: `rights: {
    fields: ['gdprStatus', 'licenceTo'],
    read: (fields) => ({
      state: fields.gdprStatus === 'OK' ? 'allowed' : 'forbidden',
      until: fields.licenceTo,
    }),
  }`,
    inLowerCase: `rights: {
    fields: ['gdprstatus'],
    read: (fields) => ({
      // No field about a license was found.
      state: fields.gdprstatus === 'OK' ? 'allowed' : 'forbidden',
    }),
  }`,
    licenseOnly: `rights: {
    fields: ['licenceTo'],
    read: (fields) => ({
      // No field about consent was found.
      until: fields.licenceTo,
    }),
  }`,
  };

  test.each<[string, SettingChanges, object, keyof typeof rules, string]>([
    [
      'without a field',
      {},
      { alttext: 'Quay' },
      'none',
      'no field about consent or a license was found',
    ],
    [
      'with the usual fields',
      {},
      { gdprStatus: 'OK', licenceTo: '2126-01-01' },
      'asAnswered',
      'by gdprStatus, licenceTo',
    ],
    [
      'with fields that lists lack',
      { listedFields: 'id,name,filename' },
      { gdprStatus: 'OK', licenceTo: '2126-01-01' },
      'asAnswered',
      'by gdprStatus, licenceTo',
    ],
    [
      'that is asked in lower case',
      { fieldNames: 'lower case' },
      { gdprStatus: 'OK' },
      'inLowerCase',
      'by gdprstatus; no field about a license was found',
    ],
    [
      'without a field about consent',
      {},
      { licenceTo: '2126-01-01' },
      'licenseOnly',
      'by licenceTo; no field about consent was found',
    ],
    ['that writes names in lower case', {}, { gdprstatus: 'OK' }, 'inLowerCase', 'by gdprstatus'],
  ])('of a service %s is in the config and on the screen', async (_, bends, fields, rule, text) => {
    const service = await startService([{ path: 'quay.jpg', width: 1200, height: 800 }], bends);
    await emulatorClient(service).files.update(4711, fields as FileMetadata);
    const { stderr, exitCode } = await folder.command(['init', '--yes'], service.env);
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(`rights +${text}`)]);
    expect(await read('astro.config.mjs')).toContain(rules[rule]);
    await service.stop();
  });
});

test.each<[fields: FileMetadata, why: string]>([
  [{ gdprStatus: 'granted' }, 'gdprStatus is "granted"'],
  [{ gdprStatus: 'OK', licenceTo: '2020-12-31' }, 'licenceTo is "2020-12-31"'],
  [{ gdprStatus: 'OK', rightsType: 'editorial' }, 'rightsType is "editorial"'],
])('an image that the new rule forbids is named, and on no page: %j', async (fields, why) => {
  const service = await startService([{ path: 'quay.jpg', width: 1200, height: 800 }]);
  await emulatorClient(service).files.update(4711, fields);
  const { stderr, exitCode } = await folder.command(['init', '--yes'], service.env);
  const text = `asset 4711 is forbidden by this rule (${why})`;
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(text)]);
  await expect(read('src/pages/first-image.astro')).rejects.toMatchObject({ code: 'ENOENT' });
  await service.stop();
});

test('a rule is added once the service has a field for it', async () => {
  const service = await startService([{ path: 'quay.jpg', width: 1200, height: 800 }]);
  const init = () => folder.command(['init', '--yes'], service.env);
  expect((await init()).exitCode).toBe(0);
  expect(await read('astro.config.mjs')).toContain('rights: {\n    // No field');
  await emulatorClient(service).files.update(4711, { gdprStatus: 'OK' });
  expect((await init()).exitCode).toBe(0);
  expect(await read('astro.config.mjs')).toContain("state: fields.gdprStatus === 'OK'");
  expect((await init()).stdout).toContain('Everything is set up.');
  await service.stop();
});

test('a config without `site` is named, and a wrong address is refused', async () => {
  const { stderr } = await folder.command(['init', '--yes'], emulator.env);
  expect(stderr).toContain('astro.config.mjs has no `site`');
  const wrong = await folder.command(['init', '--yes', '--site', 'harbour'], emulator.env);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('--site harbour')]);
  const site = ['--site', 'https://harbour.example'];
  const set = await folder.command(['init', '--yes', ...site], emulator.env);
  expect(set.stderr).not.toContain('has no `site`');
  expect(await read('astro.config.mjs')).toMatch(/site: ["']https:\/\/harbour/);
});

test('an outage while it asks is an error, and says nothing about crops', async () => {
  await emulator.setFaults([{ kind: 'status', status: 503, call: 'custom-format' }]);
  const { exitCode, stderr } = await folder.command(['init'], emulator.env);
  await emulator.clearFaults();
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[service-failed]')]);
});

test('shows what it would write, without values, and writes nothing unasked', async () => {
  const { stdout, stderr } = await folder.command(['init'], emulator.env);
  expect(stdout).toBe('Nothing was written. --yes writes without asking.\n');
  expect(stderr).toContain('new        .env\n  + MEDIA_ASSET_BASE_URL=…\n');
  expect(stderr).not.toContain(emulator.env.MEDIA_ASSET_PASSWORD);
  expect(await read('astro.config.mjs')).toBe(config);
});

test('shows all lines that it adds, also those that equal an old one', async () => {
  const own = ['    other({', '      of: {', '        b: 1,', '      },', '    }),'];
  const old = ['export default {', '  integrations: [', ...own, '  ],', '};', ''].join('\n');
  await folder.write('astro.config.mjs', old);
  const { stderr } = await folder.command(['init'], emulator.env);
  const [, shown = ''] = /changed +astro\.config\.mjs\n((?: {2}\+ .*\n)+)/.exec(stderr) ?? [];
  const [first, ...block] = shown
    .replaceAll(/^ {2}\+ /gm, '')
    .trimEnd()
    .split('\n');
  expect(first).toMatch(/^import mediaAsset /);
  expect([block[0], block.at(-1)]).toEqual(['    mediaAsset({', '    }),']);
  await folder.command(['init', '--yes'], emulator.env);
  const added = ['  integrations: [', ...block, ...own, '  ],'].join('\n');
  expect(await read('astro.config.mjs')).toContain(added);
});

test('writes once, and finds nothing to do when it runs again', async () => {
  const words = ['init', '--yes', '--site', 'https://www.example.org'];
  expect((await folder.command(words, emulator.env)).stdout).toMatch(
    /^Written\. .*asset 4711\.\n$/,
  );
  const written = await read('astro.config.mjs');
  expect(written).toContain("site: 'https://www.example.org'");
  expect((await folder.command(words, {})).stdout).toBe('Everything is set up.\n');
  expect(await read('astro.config.mjs')).toBe(written);
});

test('says what to paste into a config that it can’t change', async () => {
  const own = 'export default () => ({ integrations: [] });\n';
  await folder.write('astro.config.mjs', own);
  const { stderr } = await folder.command(['init', '--yes'], emulator.env);
  expect(stderr).toContain(
    "Add this to astro.config.mjs by hand:\n\nimport mediaAsset from 'astro-media-asset';",
  );
  expect(await read('astro.config.mjs')).toBe(own);
});

test.each([
  [
    'an .env in Windows-1252',
    'environment-unreadable',
    () => writeFile(folder.path('.env'), Buffer.from('SMTP_PASSWORD=gr\u00fcn\n', 'latin1')),
  ],
  ['a folder named .env', 'environment-unreadable', () => folder.write('.env/pyvenv.cfg', '')],
  ['a page that it can’t write', 'file-unwritable', () => folder.write('src', '')],
] as const)('%s is an error', async (_, code, spoil) => {
  await spoil();
  const { exitCode, stderr } = await folder.command(['init', '--yes'], emulator.env);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`[${code}]`)]);
});

test('writes no secret through a link that someone has left for its temporary file', async () => {
  await folder.write('public/index.txt', '');
  for (const name of ['.env.tmp', '.env.part']) await symlink('public/leak.txt', folder.path(name));
  expect((await folder.command(['init', '--yes'], emulator.env)).exitCode).toBe(0);
  expect(await readdir(folder.path('public'))).toEqual(['index.txt']);
  expect(await read('.env')).toContain('MEDIA_ASSET_CLIENT_SECRET');
});

test.each(['.env', '.media-asset'])(
  'refuses a project whose %s Git tracks as a link',
  async (name) => {
    await folder.write('public/index.txt', '');
    await symlink('public/leak.txt', folder.path(name));
    const git = (...words: string[]) => execFileSync('git', words, { cwd: folder.dir });
    git('init', '--quiet');
    git('add', '--force', name);
    const { exitCode, stderr } = await folder.command(['init', '--yes'], emulator.env);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[link-tracked]')]);
    expect(await readdir(folder.path('public'))).toEqual(['index.txt']);
  },
);

test('is wrong usage in a folder without an Astro config', async () => {
  await folder.remove('astro.config.mjs');
  const { exitCode, stderr } = await folder.command(['init'], emulator.env);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no Astro config')]);
});

test('asks a person, hides secrets, and sends them to no guessed host', async () => {
  // A service whose tokens come from another host.
  const api = await startLocalServer(async (request, response) => {
    const isToken = request.url?.startsWith('/1/oauth2/');
    if (isToken) return void response.writeHead(404).end();
    const { status, headers, bytes } = await forwardRequest(emulator.url, request);
    response.writeHead(status, headers).end(bytes);
  });
  onTestFinished(() => api.close());
  const terminal = openInteractiveTerminal(['init'], { directory: folder.dir });
  const answers = [
    ["URL of the service's API: ", api.url],
    ['Client ID: ', 'emulator'],
    ['Client secret (hidden): ', 'emulator-secret'],
    ['User name (empty for a token): ', 'editor'],
    ['Password (hidden): ', 'harbour'],
    ['such as https://accounts.example.org: ', emulator.url],
    ['Write these files? [y/N] ', 'y'],
  ] as const;
  for (const [question, answer] of answers) {
    await terminal.waitFor(question);
    terminal.type(`${answer}\r`);
  }
  expect(await terminal.waitForExit()).toBe(0);
  expect(terminal.received).not.toMatch(/emulator-secret|harbour/);
  expect(await read('.env')).toBe(`MEDIA_ASSET_BASE_URL=${api.url}
MEDIA_ASSET_ACCOUNTS_URL=${emulator.url}
MEDIA_ASSET_CLIENT_ID=emulator
MEDIA_ASSET_CLIENT_SECRET=emulator-secret
MEDIA_ASSET_USERNAME=editor
MEDIA_ASSET_PASSWORD=harbour
`);
  expect((await stat(folder.path('.env'))).mode & 0o777).toBe(0o600);
});

import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BuildRules, sealAddresses } from '../../../src/usage/build-rules.ts';
import { type LocalServer, startLocalServer } from '../../support/service/local-server.ts';
import { builtRules, builtSettings } from '../../support/site/built-folder.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const folder = useBuiltFolder();
let built: LocalServer;
let named: LocalServer;
/** All requested hosts, with the token of the request. */
let asked: string[];
/** Their URLs and content types. */
let tokenRequests: string[];

beforeEach(async () => {
  asked = [];
  tokenRequests = [];
  const start = (name: string) =>
    startLocalServer((request, response) => {
      asked.push(`${name} ${request.headers.authorization ?? 'without a token'}`);
      const { url = '', method, headers } = request;
      if (method === 'POST') tokenRequests.push(`${url} as ${headers['content-type']}`);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"access_token":"given","token_type":"Bearer"}');
    });
  [built, named] = await Promise.all([start('built'), start('named')]);
  await folder.page('dist/index.html', 'Harbour', 4711);
  await folder.write('quay.jpg', 'quay');
});

afterEach(() => Promise.all([built.close(), named.close()]));

const token = { MEDIA_ASSET_ACCESS_TOKEN: 'lantern' };
const client = { MEDIA_ASSET_CLIENT_ID: 'site', MEDIA_ASSET_CLIENT_SECRET: 'anchor' };
const user = { ...client, MEDIA_ASSET_USERNAME: 'ada', MEDIA_ASSET_PASSWORD: 'mooring' };

/** Leaves the file of a build, sealed with its credentials if it had any. */
function leave(
  credentials: Parameters<typeof sealAddresses>[1] = {},
  settings: Partial<BuildRules['settings']> = {},
): Promise<void> {
  const rules: BuildRules = {
    ...builtRules,
    service: built.url,
    settings: { ...builtSettings, ...settings },
  };
  const seal = sealAddresses(rules, credentials);
  return folder.build({ ...rules, seal });
}

/** Changes the file that the build has left. */
async function change(from: string, to: string): Promise<void> {
  const text = await readFile(folder.path('.media-asset/build.json'), 'utf8');
  expect(text).toContain(from);
  await folder.write('.media-asset/build.json', text.replace(from, to));
}

async function expectUntrusted(environment: Record<string, string>): Promise<void> {
  const { stderr } = await folder.command(['folders'], environment);
  expect(stderr).toContain('[service-untrusted]');
  expect(asked).toEqual([]);
}

test('an invalid URL is named without its port, which can be a password', async () => {
  const address = 'https://user:12345678';
  const runs = await Promise.all([
    folder.command(['folders'], { ...token, MEDIA_ASSET_BASE_URL: address }),
    folder.command(['folders', '--service', address], token),
  ]);
  for (const { exitCode, output } of runs) {
    expect(output).toContain("isn't an absolute http or https URL");
    expect(output).not.toContain('12345678');
    expect(exitCode).toBe(2);
  }
});

const everyCommand: [string, ...string[]][] = [
  ['report', 'dist', '--yes'],
  ['reconcile', 'dist', '--yes'],
  ['folders'],
  ['files', '1'],
  ['search', 'quay'],
  ['record', '4711'],
  ['usages', '4711'],
  ['doctor'],
];

describe('credentials', () => {
  test.each(everyCommand)("of %s aren't sent to a URL that only a file names", async (...words) => {
    await leave();
    const { exitCode, output } = await folder.command(words, token);
    expect(output).toContain(`Credentials aren't sent to ${built.url}: only`);
    expect(exitCode).toBe(1);
    expect(asked).toEqual([]);
  });

  test.each(everyCommand)(
    'of %s go to MEDIA_ASSET_BASE_URL, even if the last build used another service',
    async (...words) => {
      await leave({ accessToken: 'lantern' });
      await folder.command(words, { ...token, MEDIA_ASSET_BASE_URL: named.url });
      expect(asked.filter((one) => !one.endsWith('without a token'))).not.toEqual([]);
      expect(asked.filter((one) => !one.startsWith('named '))).toEqual([]);
    },
  );

  test('go to the URL of a build with the same credentials', async () => {
    await leave({ accessToken: 'lantern' });
    await folder.command(['folders'], token);
    expect(asked).toEqual(['built Bearer lantern']);
  });

  test("aren't sent to a URL that was added to the file later", async () => {
    await leave({ accessToken: 'lantern' });
    await change(built.url, named.url);
    await expectUntrusted(token);
  });

  test.each(['built', 'named'])(
    "aren't put into URLs after a change to the file, if the URL is %s",
    async (address) => {
      await leave({ clientSecret: 'anchor', password: 'mooring' });
      await change('"form"', '"query"');
      const variables = address === 'named' ? { MEDIA_ASSET_BASE_URL: built.url } : {};
      await expectUntrusted({ ...user, ...variables });
    },
  );

  test("aren't sent to a token host that only a file names", async () => {
    await leave({ clientSecret: 'another' }, { accountsUrl: named.url });
    const environment = { ...user, MEDIA_ASSET_BASE_URL: built.url };
    const { stderr } = await folder.command(['folders'], environment);
    expect(stderr).toContain(`Credentials aren't sent to ${named.url}: only`);
    expect(asked).toEqual([]);
  });

  test("aren't sent to a token host that was changed in the file later", async () => {
    await leave({ clientSecret: 'anchor', password: 'mooring' }, { accountsUrl: built.url });
    await change(`"accountsUrl":"${built.url}`, `"accountsUrl":"${named.url}`);
    await expectUntrusted(user);
  });

  test("aren't sent to a path that was changed in the file later", async () => {
    const tokenPath = '/oauth2/token';
    await leave({ clientSecret: 'anchor', password: 'mooring' }, { tokenPath });
    await change(`"tokenPath":"${tokenPath}`, '"tokenPath":"/elsewhere');
    await expectUntrusted(user);
  });

  test('go to MEDIA_ASSET_ACCOUNTS_URL, even if the last build used another token host', async () => {
    await leave({ clientSecret: 'anchor', password: 'mooring' }, { accountsUrl: built.url });
    await folder.command(['folders'], { ...user, MEDIA_ASSET_ACCOUNTS_URL: named.url });
    expect(asked).toEqual(['named without a token', 'built Bearer given']);
  });

  test("are requested with the environment's settings, then the last build's", async () => {
    const variables = { ...user, MEDIA_ASSET_TOKEN_ENCODING: 'query' };
    for (const environment of [user, variables]) {
      await leave({ clientSecret: 'anchor', password: 'mooring' }, { tokenEncoding: 'json' });
      await folder.command(['folders'], environment);
    }
    expect(tokenRequests).toEqual([
      '/1/oauth2/token as application/json',
      expect.stringMatching(/^\/1\/oauth2\/token\?.*grant_type=password/),
    ]);
  });

  test('are reported as missing before a URL is refused', async () => {
    await leave();
    const { stderr } = await folder.command(['login'], { MEDIA_ASSET_CLIENT_ID: 'site' });
    expect(stderr).toContain('MEDIA_ASSET_CLIENT_SECRET');
    expect(stderr).toContain('[service-not-configured]');
  });
});

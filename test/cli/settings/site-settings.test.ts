import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSiteSettings, type SiteFlags } from '../../../src/cli/settings/site-settings.ts';
import type { Environment } from '../../../src/config/options.ts';
import { type BuildRules, writeBuildRules } from '../../../src/usage/build-rules.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const built: BuildRules = {
  version: 1,
  site: 'https://harbour.example',
  base: '/museum',
  format: 'file',
  trailingSlash: 'never',
  assetsPrefix: 'https://cdn.example',
  exclude: ['/drafts/**'],
  service: 'https://media.example/dam',
  project: 'Museum',
  contact: 'Keeper',
  description: 'Images of the site',
  output: 'dist/client',
  stamp: '_astro/media-asset.4711.txt',
};

const environment = {
  MEDIA_ASSET_BASE_URL: 'https://other.example',
  MEDIA_ASSET_PROJECT: 'Other',
  MEDIA_ASSET_CONTACT: 'Somebody',
};

/** The rules of a command in a folder that was built with the given rules, or never. */
async function rulesOf(
  flags: SiteFlags,
  { built, environment = {} }: { built?: BuildRules; environment?: Environment } = {},
): Promise<BuildRules> {
  const directory = await temporaryFolder('site-settings');
  if (built) await writeBuildRules(join(directory, '.media-asset/build.json'), built);
  return (await readSiteSettings(flags, { directory, environment })).rules;
}

describe("a command's rules", () => {
  test('prefer the build to the environment, except for the service', async () => {
    expect(await rulesOf({}, { built })).toEqual(built);
    expect(await rulesOf({}, { built, environment })).toEqual({
      ...built,
      service: 'https://other.example',
    });
  });

  test('prefer flags to the build', async () => {
    const flags: SiteFlags = {
      ...{ base: '/', format: 'directory', trailingSlash: 'always', exclude: [] },
      ...{ project: 'Flag', contact: 'Captain', service: 'https://third.example/' },
    };
    const service = 'https://third.example';
    expect(await rulesOf(flags, { built, environment })).toEqual({ ...built, ...flags, service });
  });

  test("for another site than the build's only keep the service", async () => {
    const site = 'https://lighthouse.example';
    const names = { project: 'lighthouse.example', contact: 'lighthouse.example', description: '' };
    expect(await rulesOf({ site }, { built })).toEqual({
      ...{ version: 1, site, base: '/', format: 'directory', trailingSlash: 'ignore' },
      ...{ exclude: [], service: built.service, ...names },
    });
  });

  test("use the environment for a folder that wasn't built here", async () => {
    const site = 'https://lighthouse.example';
    expect(await rulesOf({ site }, { environment })).toMatchObject({
      service: 'https://other.example',
      project: 'Other',
      contact: 'Somebody',
    });
  });

  test('treat an empty variable as unset', async () => {
    const empty = { MEDIA_ASSET_BASE_URL: '', MEDIA_ASSET_PROJECT: '', MEDIA_ASSET_CONTACT: '' };
    expect(await rulesOf({ site: 'https://a.example' }, { environment: empty })).toMatchObject({
      service: undefined,
      project: 'a.example',
      contact: 'a.example',
    });
  });

  test('use the project as the default contact', async () => {
    const { project, contact } = await rulesOf({ site: 'https://a.example', project: 'Museum' });
    expect([project, contact]).toEqual(['Museum', 'Museum']);
  });
});

describe('a URL', () => {
  test.each([
    [{ site: 'harbour.example' }, {}, "--site harbour.example isn't"],
    [{ site: 'file:///srv' }, {}, "--site file:///srv isn't"],
    [{ site: 'https://a.example', service: 'ftp://b.example' }, {}, '--service ftp://b.example'],
    [{ site: 'https://a.example' }, { MEDIA_ASSET_BASE_URL: 'b' }, "MEDIA_ASSET_BASE_URL b isn't"],
    [{ site: 'https://me:pw@a.example' }, {}, '--site contains a user name or password'],
    [{ site: 'me:pw@a.example' }, {}, '--site contains a user name or password'],
    [{ site: 'https://a.example', service: 'https://b.example?key=pw' }, {}, "--service isn't an"],
    [{ site: 'https://a.example', service: 'https://me:pw' }, {}, "--service isn't an"],
  ])(
    'that is invalid is named with its flag or variable: %o %o',
    async (flags, variables, message) => {
      await expect(rulesOf(flags, { environment: variables })).rejects.toMatchObject({
        code: 'command-usage',
        message: expect.stringContaining(message),
      });
    },
  );

  test.each([
    'https://elsewhere.example/docs',
    'C:/Program Files/Git/docs',
    'docs\\museum',
    '/docs?page=1',
    '/docs#top',
    '../../docs',
  ])("with the base %s isn't a path of the site", async (base) => {
    await expect(rulesOf({ site: 'https://a.example', base })).rejects.toThrow(
      /^--base .* isn't a path/,
    );
  });

  test('of a site with a path is refused, unless the base is the same', async () => {
    const site = 'https://a.example/docs/';
    await expect(rulesOf({ site })).rejects.toThrow(
      'has a path, which is ignored. Pass --base /docs',
    );
    await expect(rulesOf({ site, base: '/' })).rejects.toThrow('--base /docs');
    expect(await rulesOf({ site, base: 'docs' })).toMatchObject({ site, base: 'docs' });
    const asBuilt = { ...built, site };
    expect(await rulesOf({ site }, { built: asBuilt })).toMatchObject({ site, base: asBuilt.base });
    expect(await rulesOf({}, { built: asBuilt })).toMatchObject({ site, base: asBuilt.base });
  });

  test('of the site is required', async () => {
    await expect(rulesOf({})).rejects.toMatchObject({ code: 'rules-missing' });
  });
});

import { describe, expect, test } from 'vitest';
import { rulesOfSite, type SiteFlags } from '../../../src/cli/settings/site-settings.ts';
import type { Environment } from '../../../src/config/options.ts';
import type { BuildRules } from '../../../src/usage/build-rules.ts';

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

const rulesOf = (flags: SiteFlags, known: { built?: BuildRules; environment?: Environment } = {}) =>
  rulesOfSite(flags, { built: known.built, environment: known.environment ?? {} });

describe("a command's rules", () => {
  test('prefer the build to the environment, except for the service', () => {
    expect(rulesOf({}, { built })).toEqual(built);
    expect(rulesOf({}, { built, environment })).toEqual({
      ...built,
      service: 'https://other.example',
    });
  });

  test('prefer flags to the build', () => {
    const flags: SiteFlags = {
      ...{ base: '/', format: 'directory', trailingSlash: 'always', exclude: [] },
      ...{ project: 'Flag', contact: 'Captain', service: 'https://third.example/' },
    };
    const service = 'https://third.example';
    expect(rulesOf(flags, { built, environment })).toEqual({ ...built, ...flags, service });
  });

  test("for another site than the build's only keep the service", () => {
    const site = 'https://lighthouse.example';
    const names = { project: 'lighthouse.example', contact: 'lighthouse.example', description: '' };
    expect(rulesOf({ site }, { built })).toEqual({
      ...{ version: 1, site, base: '/', format: 'directory', trailingSlash: 'ignore' },
      ...{ exclude: [], service: built.service, ...names },
    });
  });

  test("use the environment for a folder that wasn't built here", () => {
    const site = 'https://lighthouse.example';
    expect(rulesOf({ site }, { environment })).toMatchObject({
      service: 'https://other.example',
      project: 'Other',
      contact: 'Somebody',
    });
  });

  test('treat an empty variable as unset', () => {
    const empty = { MEDIA_ASSET_BASE_URL: '', MEDIA_ASSET_PROJECT: '', MEDIA_ASSET_CONTACT: '' };
    expect(rulesOf({ site: 'https://a.example' }, { environment: empty })).toMatchObject({
      service: undefined,
      project: 'a.example',
      contact: 'a.example',
    });
  });

  test('use the project as the default contact', () => {
    const { project, contact } = rulesOf({ site: 'https://a.example', project: 'Museum' });
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
  ])('that is invalid is named with its flag or variable: %o %o', (flags, variables, message) => {
    const error = { code: 'command-usage', message: expect.stringContaining(message) };
    const act = () => rulesOf(flags, { environment: variables });
    expect(act).toThrow(expect.objectContaining(error));
  });

  test.each([
    'https://elsewhere.example/docs',
    'C:/Program Files/Git/docs',
    'docs\\museum',
    '/docs?page=1',
    '/docs#top',
    '../../docs',
  ])("with the base %s isn't a path of the site", (base) => {
    expect(() => rulesOf({ site: 'https://a.example', base })).toThrow(/^--base .* isn't a path/);
  });

  test('of a site with a path is refused, unless the base is the same', () => {
    const site = 'https://a.example/docs/';
    expect(() => rulesOf({ site })).toThrow('has a path, which is ignored. Pass --base /docs');
    expect(() => rulesOf({ site, base: '/' })).toThrow('--base /docs');
    expect(rulesOf({ site, base: 'docs' })).toMatchObject({ site, base: 'docs' });
    const asBuilt = { ...built, site };
    expect(rulesOf({ site }, { built: asBuilt })).toMatchObject({ site, base: asBuilt.base });
    expect(rulesOf({}, { built: asBuilt })).toMatchObject({ site, base: asBuilt.base });
  });

  test('of the site is required', () => {
    expect(() => rulesOf({})).toThrow(expect.objectContaining({ code: 'rules-missing' }));
  });
});

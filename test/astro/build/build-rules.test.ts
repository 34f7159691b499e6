import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { buildRulesOf } from '../../../src/astro/build/build-mark.ts';
import { resolveOptions } from '../../../src/config/options.ts';

type Site = Parameters<typeof buildRulesOf>[0];

const root = pathToFileURL(join(tmpdir(), 'harbour/'));

function rulesOf(config: object, options: object = {}) {
  return buildRulesOf({
    config: {
      base: '/',
      trailingSlash: 'ignore',
      build: { format: 'directory' },
      root,
      cacheDir: new URL('node_modules/.astro/', root),
      ...config,
    },
    options: resolveOptions(options, {}),
    service: { baseUrl: 'https://media.example' },
  } as unknown as Site);
}

const site = 'https://harbour.example';

describe('the rules that a build leaves', () => {
  test('follow the Astro config', () => {
    const build = { format: 'file' };
    const config = { site, base: '/museum', trailingSlash: 'never', build };
    expect(rulesOf(config)).toEqual({
      version: 1,
      site,
      base: '/museum',
      format: 'file',
      trailingSlash: 'never',
      exclude: [],
      service: 'https://media.example',
      project: 'harbour.example',
      contact: 'harbour.example',
      description: '',
      settings: {
        tokenEncoding: 'form',
        downloads: 'bytes',
        concurrency: 8,
        maxIdsPerRequest: 100,
        maxUnsent: 7,
        onError: 'warn',
        customFormat: 'size',
      },
      cache: join('node_modules', '.astro', 'media-asset'),
    });
  });

  test("name the cache folder as the project's options do", () => {
    const cacheOf = (cacheDir: string) =>
      rulesOf({ site, cacheDir: new URL(cacheDir, root) }).cache;
    expect(cacheOf('.cache/')).toBe(join('.cache', 'media-asset'));
    expect(cacheOf('../shared cache/')).toBe(join('..', 'shared cache', 'media-asset'));
  });

  test("contain the service's settings and no secret", () => {
    const service = {
      accountsUrl: 'https://accounts.example',
      clientId: 'site',
      clientSecret: 'hunter2',
      password: 'hunter2',
      tokenEncoding: 'json',
    };
    const rules = rulesOf({ site }, { service, report: { maxUnsent: 2, onError: 'fail' } });
    expect(rules.settings).toMatchObject({
      accountsUrl: 'https://accounts.example',
      clientId: 'site',
      tokenEncoding: 'json',
      maxUnsent: 2,
      onError: 'fail',
    });
    expect(JSON.stringify(rules)).not.toContain('hunter2');
  });

  test('contain the fields that are sent with each usage', () => {
    const report = { project: 'Museum', description: 'Site', exclude: ['/drafts/**'] };
    expect(rulesOf({ site }, { report })).toMatchObject({
      project: 'Museum',
      contact: 'Museum',
      description: 'Site',
      exclude: ['/drafts/**'],
    });
    expect(rulesOf({ site }, { report: { ...report, contact: 'Keeper' } }).contact).toBe('Keeper');
  });

  test.each([
    [{ file: 'state/ledger.json' }, { file: 'state/ledger.json' }],
    [{ redis: 'redis://:hunter2@redis.example' }, 'redis'],
    [undefined, undefined],
  ])("name the ledger's store without possible secrets: %o", (store, expected) => {
    expect(rulesOf({ site }, { report: { store } }).store).toEqual(expected);
  });

  test.each([
    ['https://cdn.example', 'https://cdn.example'],
    [{ css: 'https://styles.example', fallback: 'https://cdn.example' }, 'https://styles.example'],
    [{ js: 'https://code.example', fallback: 'https://cdn.example' }, 'https://cdn.example'],
    [undefined, undefined],
  ])('know the URLs of linked stylesheets: %o', (assetsPrefix, expected) => {
    const build = { format: 'directory', assetsPrefix };
    expect(rulesOf({ site, build }).assetsPrefix).toBe(expected);
  });
});

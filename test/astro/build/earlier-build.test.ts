import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { KeptFacts } from '../../../src/assets/store/asset-facts.ts';
import { openEarlierBuild, sealOriginals } from '../../../src/astro/build/earlier-build.ts';
import { resolveOptions } from '../../../src/config/options.ts';
import type { Finding } from '../../../src/errors/errors.ts';
import { openStateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { changeHistory } from '../../../src/usage/ledger/publication-history.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const service = 'https://media.example';
const site = 'https://harbour.example';
const secret = 'of-the-client';
const hash = 'ab'.repeat(32);
const key = `4711-${'a'.repeat(16)}-${'b'.repeat(16)}.webp`;
const kept: KeptFacts = {
  4711: {
    checkedAt: 1,
    record: {
      ...{ fields: { consent: 'Ada' }, lacking: [], answers: ['list'], asked: 'consent' },
      ...{ folder: 7, checkedAt: 1, outcomes: {} },
    },
    sources: {
      original: {
        ...{ kind: 'jpeg', reference: { kind: 'original', id: 4711 }, hash, size: 9 },
        ...{ width: 4, height: 3, animated: false, transparent: false, isStill: false },
        ...{ title: 'secret-launch.jpg', fetchedAt: 1 },
      },
    },
    made: { 'a-b-blur': 'c2hvcmU=' },
    renditions: { [key]: 'cdcdcdcd' },
  },
};

let root: string;
let findings: Finding[];

beforeEach(async () => {
  root = await temporaryFolder('earlier');
  findings = [];
});

const day = (number: number) => `2026-03-0${number}T08:00:00.000Z`;
const identity = { service, site, base: '' };
const store = () => openStateStore({ store: undefined, root, identity, kind: 'history' });

interface Change {
  sealed?: string | undefined;
  urls?: readonly (readonly [url: string, last: number])[];
  base?: string | undefined;
}

const report = ({ sealed, urls = [], base = '/' }: Change) =>
  changeHistory({ store: store(), service }, (known) => ({
    ...known,
    originals: sealed === undefined ? {} : { [site + base]: { build: day(1), sealed } },
    history: urls.map(([url, last]) => ({
      ...{ kind: 'file', url, id: 4711, hash: 'cd'.repeat(16) },
      ...{ first: day(1), last: day(last) },
    })),
  }));

interface Build {
  clientSecret?: string;
  base?: string;
  assetsPrefix?: string | { fallback: string; [extension: string]: string };
}

function open({ clientSecret = secret, base = '/', assetsPrefix }: Build = {}) {
  return openEarlierBuild({
    ...{ site, service, options: resolveOptions({}, { MEDIA_ASSET_CLIENT_SECRET: clientSecret }) },
    config: { root: pathToFileURL(`${root}/`), base, build: { assetsPrefix } },
    onFinding: (found) => findings.push(found),
  });
}

const access = resolveOptions({}, { MEDIA_ASSET_CLIENT_SECRET: secret }).service;
const sealedFor = (service: string) => sealOriginals(kept, { access, service });

test('a build with the same secret knows the originals, and nobody else does', async () => {
  await report({ sealed: await sealedFor(service) });
  expect(await open().originals()).toEqual(kept);
  expect(await open({ clientSecret: 'another' }).originals()).toEqual({});
  expect(await open({ base: '/other' }).originals()).toEqual({});
  await report({ sealed: await sealedFor('https://other.example') });
  expect(await open().originals()).toEqual({});
  const text = await readFile(store().name, 'utf8');
  expect(text).not.toMatch(/Ada|launch|4711/);
});

test.each([
  [
    'a changed byte',
    (text: string) => text.replace(/.(?=.{20}$)/, (one) => (one === 'A' ? 'B' : 'A')),
  ],
  ['nothing', () => ''],
  ['text', () => 'no seal'],
])('a seal with %s is no knowledge', async (_, change) => {
  await report({ sealed: change((await sealedFor(service)) ?? '') });
  expect(await open().originals()).toEqual({});
});

test('without a secret, nothing is kept', async () => {
  const { service: without } = resolveOptions({}, { MEDIA_ASSET_ACCESS_TOKEN: 'token' });
  expect(await sealOriginals(kept, { access: without, service })).toBeUndefined();
});

const cdn = 'https://cdn.example/x';
const url = (root: string, name: string) =>
  `${root}/_astro/media-asset/4711-${'a'.repeat(16)}-${name}`;
const made = (root: string, name: string) => url(root, `${'b'.repeat(16)}-${name}.webp`);

test.each<[where: string, options: Build, url: string | undefined]>([
  ['the site', {}, made(site, 'new')],
  ['its base', { base: '/docs/' }, made(`${site}/docs`, 'docs')],
  ['a prefix', { assetsPrefix: cdn }, made(cdn, 'cdn')],
  ['prefixes by type', { assetsPrefix: { fallback: `${cdn}/` } }, made(cdn, 'cdn')],
  [
    'one of several prefixes',
    { assetsPrefix: { css: 'https://css.example', fallback: cdn } },
    made(cdn, 'cdn'),
  ],
  ['another prefix', { assetsPrefix: 'https://cdn.example.net' }, undefined],
])('a rendition is taken from %s, under its last name', async (_, options, expected) => {
  await report({
    ...{ sealed: await sealedFor(service), base: options.base },
    urls: [
      [made(site, 'old'), 1],
      [made(site, 'new'), 3],
      [made(`${site}/docs`, 'docs'), 2],
      [made(cdn, 'cdn'), 3],
      [url(site, 'file/report.pdf'), 3],
    ],
  });
  const found = await open(options).renditions();
  expect(Array.from(found.values(), ({ url }) => url)).toEqual(expected ? [expected] : []);
});

test('a broken history is a warning, once, and the build goes on without it', async () => {
  const lease = await store().lock();
  await lease.write(['{'], undefined);
  await lease.release();
  const earlier = open();
  expect(await earlier.originals()).toEqual({});
  expect((await earlier.renditions()).size).toBe(0);
  expect(findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    'warning history-broken',
  ]);
});

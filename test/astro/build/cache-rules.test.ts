import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroConfig } from 'astro';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { writeCacheRules } from '../../../src/astro/build/cache-rules.ts';
import type { EndOfRights } from '../../../src/usage/next-end.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';

let folder: BuiltFolder;

beforeEach(async () => {
  folder = await createBuiltFolder();
  onTestFinished(() => folder.delete());
});

const path = (id: number) => `media-asset/${id}-${'a'.repeat(16)}-${'b'.repeat(16)}-quay.webp`;
const url = (id: number) => `/_astro/${path(id)}`;
const immutable = '/_astro/*\n  Cache-Control: public, max-age=31536000, immutable\n';
const day = 'public, max-age=86400, must-revalidate';
const ends = (until?: string, id = 1, isUnknown = false): EndOfRights => ({ id, until, isUnknown });

interface Built {
  readonly isNetlify?: boolean;
  readonly ids?: readonly number[];
  readonly prefix?: string;
  readonly base?: string;
  /** The output, and the pages below it. */
  readonly folders?: readonly [output: string, pages: string];
  readonly headers?: string;
}

/** Builds on 1 March 2026. Returns the `_headers` and the findings. */
async function build(
  ending: readonly EndOfRights[],
  { isNetlify = false, ids = [1, 2], prefix = '', base = '', ...place }: Built = {},
) {
  const published = new Map(ids.map((id) => [path(id), '/']));
  const locations = { toFile: String, toUrl: (one: string) => `${prefix}${base}/_astro/${one}` };
  const { folders: [output, pages] = ['', ''], headers = '_headers' } = place;
  const outDir = pathToFileURL(`${folder.path(output)}/`);
  const config = { base: base || '/', outDir } as AstroConfig;
  const site = { config, published, locations, startedAt: '2026-03-01T12:00:00.000Z' };
  const dir = folder.path(join(output, pages));
  const findings = await writeCacheRules(site, { dir, ends: ending, isNetlify });
  const text = await readFile(folder.path(headers), 'utf8').catch(() => undefined);
  return { text, findings };
}

/** The value that Cloudflare sends for a path: those of all rules, joined, unless one is taken off. */
function cacheControl(text: string, pathname: string): string {
  let values: string[] = [];
  let matches = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) {
      const [start = '', end = ''] = line.split('*');
      const isExact = !line.includes('*');
      matches = isExact ? pathname === line : pathname.startsWith(start) && pathname.endsWith(end);
    } else if (matches && line.trim() === '! Cache-Control') values = [];
    else if (matches && line.includes('Cache-Control:')) values.push(line.split(': ')[1] ?? '');
  }
  return values.join(', ');
}

test.each<[string, EndOfRights, string]>([
  ['a day until its end', ends('2026-03-03'), day],
  ['no time from a day before its end', ends('2026-03-02'), 'no-cache'],
  ['no time on its last day', ends('2026-03-01'), 'no-cache'],
  ['a day if its end isn’t known', ends(undefined, 1, true), day],
  ['its long life without an end', ends(), 'public, max-age=31536000, immutable'],
])('caches keep an asset for %s', async (_, one, expected) => {
  await folder.write('_headers', immutable);
  const { text = '', findings } = await build([one]);
  expect(cacheControl(text, url(1))).toBe(expected);
  expect(cacheControl(text, url(2))).toBe('public, max-age=31536000, immutable');
  expect(findings).toEqual([]);
});

describe('the lines of the site', () => {
  test('stay as they are, and ours are there once', async () => {
    await folder.write('_headers', `# Ours\n${immutable}`);
    const first = await build([ends('2026-05-01')]);
    expect(first.text?.startsWith(`# Ours\n${immutable}\n#`)).toBe(true);
    expect((await build([ends('2026-05-01')])).text).toBe(first.text);
    expect((await build([ends()])).text).toBe(`# Ours\n${immutable}`);
  });

  test.each([
    ['no rule for our files', '/*.html\n  Cache-Control: max-age=31536000\n'],
    ['a rule with a short life', '/_astro/*\n  Cache-Control: public, max-age=600\n'],
    ['a rule without a life', '/*\n  X-Frame-Options: DENY\n'],
  ])('alone count with %s, because hosts let caches ask', async (_, own) => {
    await folder.write('_headers', own);
    expect((await build([ends('2026-05-01')])).text).toBe(own);
  });

  test.each([
    '/_astro/media-asset/:file\n  cache-control: s-maxage=90000\n',
    'https://harbour.example/*\n  Cache-Control: IMMUTABLE\n',
    '/*.webp\n  X-A: b\n  Cache-Control: max-age="604800"\n',
  ])('are read as hosts read them: %j', async (own) => {
    await folder.write('_headers', own);
    expect((await build([ends('2026-05-01')])).text).toContain(`/_astro/media-asset/1-*\n`);
  });
});

describe('with a base', () => {
  const [base, own] = ['/b', `/b${immutable}`];
  const above = 'dist/client/_headers';

  test("the file above the folder of the base counts, where Cloudflare's adapter has it", async () => {
    await folder.write(above, own);
    const { text } = await build([ends('2026-05-01')], {
      ...{ base, headers: above, folders: ['dist', 'client/b'] },
    });
    expect(cacheControl(text ?? '', `/b${url(1)}`)).toBe(day);
  });

  test('the file among the pages counts before it', async () => {
    await folder.write(above, own);
    await folder.write('dist/client/b/_headers', own);
    const { text } = await build([ends('2026-05-01')], {
      ...{ base, headers: above, folders: ['dist', 'client/b'] },
    });
    expect(text).toBe(own);
  });

  test('a file outside of the output is left alone', async () => {
    await folder.write('_headers', own);
    const { text } = await build([ends('2026-05-01')], { base, folders: ['b', ''] });
    expect(text).toBe(own);
  });
});

test('no file is written if the output has none', async () => {
  expect((await build([ends('2026-05-01')])).text).toBeUndefined();
});

test('files on another host are left alone', async () => {
  await folder.write('_headers', immutable);
  const other = { prefix: 'https://cdn.example' };
  expect((await build([ends('2026-05-01')], other)).text).toBe(immutable);
});

test('with more than 90 rules, all our files have the short life', async () => {
  await folder.write('_headers', immutable);
  const ids = Array.from({ length: 91 }, (_, at) => at + 1);
  const ending = ids.map((id) => ends('2026-05-01', id));
  const { text = '' } = await build(ending.slice(0, 89), { ids });
  expect(text.match(/^\//gm)).toHaveLength(90);
  const all = (await build(ending, { ids })).text ?? '';
  expect(all.match(/^\//gm)).toHaveLength(2);
  expect(cacheControl(all, url(1))).toBe(day);
  const last = (await build([...ending, ends('2026-03-01', 1)], { ids })).text ?? '';
  expect(cacheControl(last, url(91))).toBe('no-cache');
});

test('on Netlify, which takes no value off, a warning names the assets', async () => {
  await folder.write('_headers', immutable);
  const { text, findings } = await build([ends('2026-05-01'), ends(undefined, 2)], {
    isNetlify: true,
  });
  expect(text).toBe(immutable);
  expect(findings).toMatchObject([
    { code: 'cache-outlives-rights', message: expect.stringContaining('1 asset longer') },
  ]);
});

describe('a cache that follows the rules', () => {
  const hour = 60 * 60 * 1000;
  const lastDay = '2026-03-10';
  const endOfLastDay = Date.parse(`${lastDay}T24:00:00.000Z`);

  /** The last hour in which a cache in front of the site has the image, if visitors ask each hour. */
  async function lastHour(text: string): Promise<number> {
    let now = Date.parse('2026-03-08T00:30:00.000Z');
    const server = await startLocalServer((request, response) => {
      const isOnline = now < endOfLastDay;
      const headers = { 'cache-control': cacheControl(text, request.url ?? '') };
      response.writeHead(isOnline ? 200 : 404, headers).end(isOnline ? 'image' : '');
    });
    onTestFinished(() => server.close());
    let kept: { readonly until: number } | undefined;
    let last = 0;
    for (; now < endOfLastDay + 72 * hour; now += hour) {
      if (!kept || kept.until <= now) {
        const answer = await fetch(new URL(url(1), server.url));
        const [, age = 0] = /max-age=(\d+)/.exec(answer.headers.get('cache-control') ?? '') ?? [];
        kept = answer.ok ? { until: now + 1000 * Number(age) } : undefined;
      }
      if (kept) last = now;
    }
    return last;
  }

  test('has let go of an image at most one day after its rights, and otherwise not', async () => {
    await folder.write('_headers', immutable);
    expect(await lastHour(immutable)).toBeGreaterThan(endOfLastDay + 48 * hour);
    const { text = '' } = await build([ends(lastDay)]);
    const last = await lastHour(text);
    expect(last).toBeLessThanOrEqual(endOfLastDay + 24 * hour);
    expect(last).toBeGreaterThan(endOfLastDay - hour);
  });
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRenditionUrl, renditionFolder } from '../../assets/formats/rendition-url.ts';
import { type Finding, finding } from '../../errors/errors.ts';
import { dayOf, oneDay } from '../../storage/day.ts';
import type { EndOfRights } from '../../usage/next-end.ts';
import type { SiteBuild } from './build-notes.ts';
import { writeBuiltFile } from './built-files.ts';

const [begin, end] = ['# astro-media-asset: rights that end', '# astro-media-asset: end'];
const ourBlock = new RegExp(`\n?${begin}\n[^]*?${end}\n`, 'g');

/** The most rules that we write. Cloudflare reads 100 of a file. */
const mostRules = 90;
const secondsPerDay = oneDay / 1000;

/**
 * Shortens the cache life of assets whose rights end, or may end, if a rule of the site's `_headers` makes
 * it longer than a day. Without a rule, the hosts that read this file let caches ask each time. The site's
 * lines stay as they are.
 */
export async function writeCacheRules(
  build: Pick<SiteBuild, 'config' | 'published' | 'locations' | 'startedAt'>,
  { dir, ends, isNetlify }: { dir: string; ends: readonly EndOfRights[]; isNetlify: boolean },
): Promise<Finding[]> {
  const { config, published, locations, startedAt } = build;
  // Cloudflare's adapter writes it next to the folder of the base, which has the pages.
  const above = join(dir, relative(config.base, '/'));
  const isOutput = !relative(fileURLToPath(config.outDir), above).startsWith('..');
  const folders = isOutput ? [dir, above] : [dir];
  const path = folders.map((one) => join(one, '_headers')).find(existsSync);
  if (path === undefined) return [];
  const found = await readFile(path, 'utf8');
  const own = found.replace(ourBlock, '');
  const rules = rulesIn(own);
  const isKept = (url: string) => rules.some((rule) => rule.isLong && rule.matches.test(url));
  const kept = new Set(
    Array.from(published.keys(), (file) =>
      isKept(locations.toUrl(file)) ? parseRenditionUrl(file)?.id : undefined,
    ),
  );
  const ending = ends.filter(({ id, until, isUnknown }) => (until ?? isUnknown) && kept.has(id));
  const ids = ending.map(({ id }) => id);
  const isDone = ending.length === 0 || isNetlify;
  const tomorrow = dayOf(Date.parse(startedAt) + oneDay);
  const lifeOf = (...all: readonly EndOfRights[]) =>
    all.some(({ until }) => until !== undefined && until <= tomorrow)
      ? 'no-cache'
      : `public, max-age=${secondsPerDay}, must-revalidate`;
  const folder = locations.toUrl(`${renditionFolder}/`);
  const lives =
    ending.length + rules.length > mostRules
      ? [['', lifeOf(...ending)]]
      : ending.map((one) => [`${one.id}-`, lifeOf(one)]);
  // Cloudflare joins the values of all rules, unless one is taken off.
  const lines = lives.map(
    ([name, life]) => `${folder}${name}*\n  ! Cache-Control\n  Cache-Control: ${life}\n`,
  );
  const text = isDone ? own : `${own}\n${begin}\n${lines.join('')}${end}\n`;
  if (text !== found) await writeBuiltFile(path, Buffer.from(text));
  // Netlify knows no way to take off a value.
  return isNetlify && ids.length > 0 ? [finding('warning', 'cache-outlives-rights', { ids })] : [];
}

/** The rules of a `_headers` file, each with whether it keeps files in caches for more than a day. */
function rulesIn(text: string): { readonly matches: RegExp; isLong: boolean }[] {
  const rules: { matches: RegExp; isLong: boolean }[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    const [, path] = /^(?:https:\/\/[^/]*)?(\/.*)$/.exec(line) ?? [];
    const escaped = path?.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    const pattern = escaped?.replaceAll('*', '.*').replace(/:[a-z]\w*/gi, '[^/]+');
    if (pattern !== undefined) rules.push({ matches: new RegExp(`^${pattern}$`), isLong: false });
    const [, life = ''] = /^cache-control\s*:(.*)$/i.exec(line) ?? [];
    const ages = Array.from(life.matchAll(/max-?age\s*=\s*"?(\d+)/gi), ([, age]) => Number(age));
    const last = rules.at(-1);
    if (last && (/immutable/i.test(life) || ages.some((age) => age > secondsPerDay)))
      last.isLong = true;
  }
  return rules;
}

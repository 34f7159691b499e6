import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { mediaAssetError } from '../../errors/errors.ts';
import type { FileRecord } from '../../service/types.ts';
import { ignoreMissing, writeProblem } from '../../storage/file-problems.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { changeConfig, type OptionCode } from './config-file.ts';
import type { ServiceFacts } from './probe-service.ts';

export interface FileChange {
  /** Its path from the site's folder. */
  readonly name: string;
  /** `undefined` if it isn't there. */
  readonly before: string | undefined;
  /** `undefined` if a person has to change it. */
  readonly after: string | undefined;
}

export const samplePage = 'src/pages/media-asset.astro';

/** The options that a service needs besides its variables. */
export function neededOptions({ crops, image }: ServiceFacts): OptionCode {
  const record = image && recordRule(image);
  return {
    ...(crops === 'corners' && { customFormat: `'corners'` }),
    ...(crops === 'local' && { crops: `'local'` }),
    ...(record && { record }),
  };
}

/** The variables that reach a service, by name. Those with a default value are left out. */
function neededVariables({ settings }: ServiceFacts): Record<string, string> {
  const { baseUrl, accountsUrl, clientId, clientSecret, tokenEncoding, downloads } = settings;
  const { kind: _, ...secrets }: Record<string, string> = settings.credentials;
  const byVariable: Record<string, string | undefined> = {
    MEDIA_ASSET_BASE_URL: baseUrl,
    MEDIA_ASSET_ACCOUNTS_URL: accountsUrl === baseUrl ? undefined : accountsUrl,
    MEDIA_ASSET_CLIENT_ID: clientId,
    MEDIA_ASSET_CLIENT_SECRET: clientSecret,
    MEDIA_ASSET_USERNAME: secrets.username,
    MEDIA_ASSET_PASSWORD: secrets.password,
    MEDIA_ASSET_REFRESH_TOKEN: secrets.refreshToken,
    MEDIA_ASSET_ACCESS_TOKEN: secrets.accessToken,
    MEDIA_ASSET_TOKEN_ENCODING: tokenEncoding === 'form' ? undefined : tokenEncoding,
    MEDIA_ASSET_DOWNLOADS: downloads === 'bytes' ? undefined : downloads,
  };
  return Object.fromEntries(
    Object.entries(byVariable).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** Plans the files of a site in `directory` whose config is `config`. */
export async function planFiles(
  directory: string,
  { config, site, facts }: { config: string; site: string | undefined; facts: ServiceFacts },
): Promise<FileChange[]> {
  const plan = async (name: string, toAfter: (text: string) => string | undefined) => {
    const path = join(directory, name);
    const before = await readFile(path, 'utf8')
      .catch(ignoreMissing)
      .catch((cause: unknown) => {
        throw mediaAssetError('environment-unreadable', { path }, { cause });
      });
    return { name, before, after: toAfter(before ?? '') };
  };
  const { image } = facts;
  const files = [
    // Git ignores secrets before they're there.
    await plan('.gitignore', (text) => ignoreFiles(text, ['.env', '.media-asset/'])),
    await plan('.env', (text) => setVariables(text, neededVariables(facts))),
    await plan(config, (text) => changeConfig(text, { site, options: neededOptions(facts) })),
  ];
  // Someone who runs it again may have deleted the page.
  const isFirst = files.some(({ before, after }) => before !== after);
  if (image === undefined || !isFirst || existsSync(join(directory, samplePage))) return files;
  return [...files, { name: samplePage, before: undefined, after: pageOf(image.id) }];
}

function pageOf(id: number): string {
  return `---
// Delete this page when you have seen the image.
import { MediaAsset } from 'astro-media-asset/components';
---

<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>An image of the media service</title>
  </head>
  <body>
    <MediaAsset id={${id}} width={800} alt="An image of the media service" />
  </body>
</html>
`;
}

/** Secrets are for their owner alone. */
export async function writeChange(directory: string, { name, after }: FileChange): Promise<void> {
  if (after === undefined) return;
  const path = join(directory, name);
  await replaceFile(path, after, name === '.env' ? 'owner' : 'anybody').catch((cause: unknown) => {
    throw mediaAssetError('file-unwritable', { path, problem: writeProblem(cause) }, { cause });
  });
}

/**
 * Sets variables in the text of an `.env` file. All other lines stay as they are, and the file keeps
 * its line ends.
 *
 * @throws `command-usage` for a value that no `.env` file can hold
 */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = parseEnv(text);
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  for (const [name, value] of Object.entries(values)) {
    if (before[name] === value) continue;
    const line = `${name}=${quoted(name, value)}`;
    const at = lines.findLastIndex((one) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(one));
    if (at === -1) lines.push(line);
    else lines[at] = line;
  }
  if (lines.length === 0) return text;
  const after = lines.map((line) => line + end).join('');
  if (isDeepStrictEqual({ ...parseEnv(after) }, { ...before, ...values })) return after;
  const problem = "The .env file has a value of several lines that init can't work around.";
  throw mediaAssetError('command-usage', { problem });
}

/** Without quotes if they aren't needed, else in the first kind that a parser reads back as the value. */
function quoted(name: string, value: string): string {
  const forms = ['', "'", '"', '`'].map((quote) => `${quote}${value}${quote}`);
  const form = forms.find((one) => parseEnv(`${name}=${one}\nEND=1`)[name] === value);
  if (form !== undefined && !/[\r\n]/.test(value)) return form;
  const problem = `${name} has a line break or all three kinds of quotes, which an .env file can't hold.`;
  throw mediaAssetError('command-usage', { problem });
}

/** Adds the lines that a `.gitignore` doesn't have. */
export function ignoreFiles(text: string, wanted: readonly string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const plain = (line: string) => line.trim().replace(/^\/|\/$/g, '');
  const known = new Set(text.split('\n').map(plain));
  const missing = wanted.filter((line) => !known.has(plain(line)));
  if (missing.length === 0) return text;
  const start = text === '' || text.endsWith('\n') ? text : text + end;
  return start + missing.map((line) => line + end).join('');
}

/**
 * What `record.read` returns, and fields of services in the wild that say it: the interface names only
 * `id`, `name` and `filename`. An asset without consent, or without a record, is forbidden.
 */
const usualFields: readonly (readonly [key: string, names: readonly string[], meaning?: string])[] =
  [
    ['alt', ['alttext', 'alt']],
    ['credit', ['photographer', 'credit']],
    ['rights', ['gdprStatus'], ` === 'OK' ? 'allowed' : 'forbidden'`],
  ];

export const knownFields = usualFields.flatMap(([, names]) => names);

/** The code of the option `record` for a record's fields; `undefined` if it has none that we know. */
function recordRule({ fields }: FileRecord): string | undefined {
  const read = usualFields.flatMap(([key, names, meaning = '']) => {
    const name = names.find((one) => fields[one] !== undefined);
    return name ? [{ name, line: `    ${key}: fields.${name}${meaning},` }] : [];
  });
  if (read.length === 0) return undefined;
  return `{
  fields: [${read.map(({ name }) => `'${name}'`).join(', ')}],
  read: (fields) => ({
${read.map(({ line }) => line).join('\n')}
  }),
}`;
}

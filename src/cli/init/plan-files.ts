import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientSettings, serviceSchema, variableOf } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { show } from '../../errors/wording.ts';
import { dayOf } from '../../storage/day.ts';
import { ignoreMissing } from '../../storage/file-problems.ts';
import { writeOutput } from '../../storage/replace-file.ts';
import { changeConfig, noRights, type OptionCode } from './config-file.ts';
import { ignoreFiles, setVariables } from './dot-files.ts';
import type { ServiceFacts } from './probe-service.ts';

export interface FileChange {
  /** Its path from the site's folder. */
  readonly name: string;
  /** `undefined` if it isn't there. */
  readonly before: string | undefined;
  /** `undefined` if a person has to change it. */
  readonly after: string | undefined;
}

export const samplePage = 'src/pages/first-image.astro';

/** The options that a service needs besides its variables. */
export function neededOptions({ crops, fields }: ServiceFacts): OptionCode {
  return {
    ...(crops === 'corners' && { customFormat: `'corners'` }),
    ...(crops === 'local' && { crops: `'local'` }),
    ...recordOptions(fields),
  };
}

/** The variables that reach a service, by name. Those with a default value are left out. */
function neededVariables({ settings }: ServiceFacts): Record<string, string> {
  const usual = { ...clientSettings.parse({}), accountsUrl: settings.baseUrl };
  const given: Readonly<Record<string, unknown>> = { ...settings, ...settings.credentials };
  const needed = Object.keys(serviceSchema.shape).flatMap((name) => {
    const value = given[name];
    const isUsual = value === Reflect.get(usual, name);
    return typeof value === 'string' && value && !isUsual ? [[variableOf(name), value]] : [];
  });
  return Object.fromEntries(needed);
}

/** Plans the files of a site in `directory` whose config is `config`. */
export async function planFiles(
  directory: string,
  { config, site, facts }: { config: string; site: string | undefined; facts: ServiceFacts },
): Promise<FileChange[]> {
  const plan = async (
    name: string,
    toAfter: (text: string) => string | undefined | Promise<string | undefined>,
  ) => {
    const path = join(directory, name);
    // What isn't UTF-8 would be lost.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const before = await readFile(path)
      .then((bytes) => decoder.decode(bytes))
      .catch(ignoreMissing)
      .catch((cause: unknown) => {
        throw mediaAssetError('environment-unreadable', { path }, { cause });
      });
    return { name, before, after: await toAfter(before ?? '') };
  };
  const { image } = facts;
  // The emulator's credentials.
  const emulated = existsSync(join(directory, '.emulator')) ? ['.emulator/'] : [];
  const files = [
    // Git ignores secrets before they're there.
    await plan('.gitignore', (text) => ignoreFiles(text, ['.env', '.media-asset/', ...emulated])),
    await plan('.env', (text) => setVariables(text, neededVariables(facts))),
    await plan(config, (text) => changeConfig(text, { site, options: neededOptions(facts) })),
  ];
  // Someone who runs it again may have deleted the page.
  const isFirst = files.some(({ before, after }) => before !== after);
  const isShown = image !== undefined && whyForbidden(facts.fields) === undefined;
  if (!isShown || !isFirst || existsSync(join(directory, samplePage))) return files;
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
    <title>A first image</title>
  </head>
  <body>
    <MediaAsset id={${id}} width={800} alt="The first image that the media service named" />
  </body>
</html>
`;
}

/** Secrets are for their owner alone. */
export async function writeChange(directory: string, { name, after }: FileChange): Promise<void> {
  const access = name === '.env' ? 'owner' : 'anybody';
  if (after !== undefined) await writeOutput(join(directory, name), after, access);
}

type FoundFields = ServiceFacts['fields'];

/**
 * What `record.read` and `rights.read` return, and fields of services in the wild that say it: alone, in
 * `rights`, or in `customFields`. The interface names only `id`, `name` and `filename`.
 */
const usualFields = {
  alt: ['alttext', 'alt'],
  credit: ['photographer', 'credit'],
  focus: ['focus'],
  consent: ['gdprStatus'],
  rightsType: ['rightsType'],
  until: ['licenceTo', 'licenseTo', 'useTo', 'useTom'],
} as const;

export const knownFields = [...Object.values(usualFields).flat(), 'rights', 'customFields'];

/** The values of a record: the requested field, the way from there, and how code reads them. */
function valuesIn(fields: FoundFields) {
  const { name: rights = '', value: inRights } = fields.get('rights') ?? {};
  const { name: custom = '', value: inCustom } = fields.get('customFields') ?? {};
  return [
    ...Array.from(fields.values(), ({ name, value }) => ({ field: name, name, code: name, value })),
    ...Object.entries(inRights ?? {}).map(([name, value]) => {
      return { field: rights, name, code: `${rights}?.${name}`, value };
    }),
    ...(Array.isArray(inCustom) ? inCustom : []).map((one) => {
      const { field: name = '', value } = Object(one);
      const code = `${custom}?.find(({ field }) => field === '${name}')?.value`;
      return { field: custom, name: String(name), code, value };
    }),
  ];
}

function rowsOf(fields: FoundFields, ...keys: readonly (keyof typeof usualFields)[]) {
  const values = valuesIn(fields);
  return keys.flatMap((key) => {
    const names = usualFields[key].map((name) => name.toLowerCase());
    const found = names.flatMap(
      (name) => values.find((one) => one.name.toLowerCase() === name) ?? [],
    )[0];
    return found ? [{ ...found, key, code: `fields.${found.code}` }] : [];
  });
}

/** The fields about consent and licenses that were found. */
export const rightsFields = (fields: FoundFields) =>
  rowsOf(fields, 'consent', 'rightsType', 'until');

/** Why the new rule forbids the image that was tried; `undefined` if it doesn't. */
export function whyForbidden(fields: FoundFields): string | undefined {
  const today = dayOf(Date.now());
  return rightsFields(fields).flatMap(({ key, name, value }) => {
    const isOver = typeof value === 'string' && value !== '' && value < today;
    const isAllowed = key === 'until' ? !isOver : key === 'consent' && value === 'OK';
    return isAllowed ? [] : `${name} is ${show(value)}`;
  })[0];
}

/** What no field was found about, though some were found. */
export function rightsMissing(fields: FoundFields): string[] {
  const found = {
    consent: rowsOf(fields, 'consent'),
    'a license': rowsOf(fields, 'rightsType', 'until'),
  };
  return Object.entries(found).flatMap(([what, { length }]) => (length > 0 ? [] : what));
}

/** The code of the options `record` and `rights` for the fields that a service has. */
function recordOptions(fields: FoundFields): OptionCode {
  const codeOf = (rows: ReturnType<typeof rowsOf>, lines: readonly string[]) => `{
  fields: [${[...new Set(rows.map(({ field }) => `'${field}'`))].join(', ')}],
  read: (fields) => ({
${lines.map((line) => `    ${line}`).join('\n')}
  }),
}`;
  const isFraction = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
  const texts = rowsOf(fields, 'alt', 'credit', 'focus').filter(
    ({ key, value }) => key !== 'focus' || [Object(value).x, Object(value).y].every(isFraction),
  );
  const types = rowsOf(fields, 'rightsType');
  const conditions = [
    ...rowsOf(fields, 'consent').map(({ code }) => `${code} === 'OK'`),
    ...types.map(({ code }) => `['…'].includes(${code})`),
  ];
  const lines = [
    ...types.map(({ value }) => `// Name the types that may be shown, such as ${show(value)}.`),
    ...(conditions[0] ? [`state: ${conditions.join(' && ')} ? 'allowed' : 'forbidden',`] : []),
    ...rowsOf(fields, 'until').map(({ code }) => `until: ${code},`),
  ];
  const missing = rightsMissing(fields).map((what) => `// No field about ${what} was found.`);
  const ofTexts = texts.map(({ key, code }) => `${key}: ${code},`);
  return {
    ...(texts.length > 0 && { record: codeOf(texts, ofTexts) }),
    rights: lines.length > 0 ? codeOf(rightsFields(fields), [...missing, ...lines]) : noRights,
  };
}

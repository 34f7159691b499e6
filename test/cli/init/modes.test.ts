import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readKnownRecord, recordRule, requestOf } from '../../../src/assets/records/records.ts';
import { inLanguage } from '../../../src/assets/request/asking.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import { type Environment, resolveOptions } from '../../../src/config/options.ts';
import { serviceSettings } from '../../../src/config/service-settings.ts';
import { openMediaService } from '../../../src/service/open-media-service.ts';
import { createRecordReader } from '../../../src/service/read-records.ts';
import type { FileMetadata } from '../../../src/service/requests.ts';
import { emulatorClient } from '../../assets/open-images.ts';
import type { EmulatorProcessOptions } from '../../support/service/emulator-process.ts';
import { startService } from '../../support/service/start-service.ts';
import { useBuiltFolder } from '../../support/site/use-built-folder.ts';

const folder = useBuiltFolder();
const locales = ['sv', 'en'];
const languages = siteLanguages({ i18n: { locales, defaultLocale: 'sv' }, base: '/' });

interface Mode {
  readonly service?: EmulatorProcessOptions;
  readonly fields: object;
  /** What a person adds to the config that `init` has written. */
  readonly locales?: Readonly<Record<string, string>>;
  readonly said: string;
  readonly isForbidden?: boolean;
  readonly alt?: string;
}

const consent = JSON.stringify([
  { field: 'alttext', value: 'Quay' },
  { field: 'gdprStatus', value: 'OK' },
]);
const alt = 'Quay';
const ended = '2020-01-31';

const modes: Readonly<Record<string, Mode>> = {
  'field names in camel case': {
    fields: { alttext: alt, gdprStatus: 'OK' },
    said: 'by gdprStatus',
  },
  'field names in lower case': {
    service: { fieldNames: 'lower case' },
    fields: { altText: alt, gdprStatus: 'Pending' },
    said: 'by gdprstatus',
    isForbidden: true,
  },
  'Basic authentication only': {
    service: { tokenEncoding: 'basic' },
    fields: { alttext: alt, gdprStatus: 'OK', licenceTo: ended },
    said: 'by gdprStatus, licenceTo',
    isForbidden: true,
  },
  'an unversioned token path': {
    service: { tokenPath: '/oauth2/token' },
    fields: { alttext: alt, licenceTo: '2120-01-31' },
    said: 'by licenceTo',
  },
  'texts by locale': {
    fields: { alttext: alt, alttext_sv_SE: 'Kajen', gdprStatus: 'OK', gdprStatus_sv_SE: 'No' },
    locales: { sv: 'sv_SE' },
    said: 'by gdprStatus',
    alt: 'Kajen',
  },
  'consent and text in customFields': {
    service: { jsonFields: 'customFields' },
    fields: { customFields: consent },
    said: 'by customFields.gdprStatus',
  },
  'an end of rights in an object': {
    service: { jsonFields: 'rights,focus' },
    fields: { alttext: alt, rights: `{"useTom":"${ended}"}`, focus: '{"x":0.2,"y":0.8}' },
    said: 'by rights.useTom',
    isForbidden: true,
  },
  'a type of rights, which forbids until a person names those that allow': {
    service: { jsonFields: 'rights' },
    fields: { alttext: alt, rights: '{"rightsType":"Free\\u2028use"}' },
    said: 'by rights.rightsType',
    isForbidden: true,
  },
};

test.each(Object.entries(modes))('init makes a right rule for %s', async (_, mode) => {
  const { service: bends = {} } = mode;
  const service = await startService([{ path: 'quay.jpg', width: 1200, height: 800 }], bends);
  const { tokenPath = '/1/oauth2/token' } = bends;
  const tokenEncoding = bends.tokenEncoding === 'basic' ? 'basic' : 'form';
  const writer = emulatorClient(service, { tokenEncoding, tokenPath });
  await writer.files.update(4711, mode.fields as FileMetadata);
  await folder.write('astro.config.mjs', 'export default { integrations: [] };\n');
  const { stderr, exitCode } = await folder.command(['init', '--yes'], service.env);
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(`rights +${mode.said}`)]);

  const config = await readFile(folder.path('astro.config.mjs'), 'utf8');
  const code = config.replace(/^import mediaAsset .*/m, 'const mediaAsset = (options) => options;');
  const { default: written } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const environment: Environment = parseEnv(await readFile(folder.path('.env'), 'utf8'));
  const [given] = written.integrations;
  const record = given.record && { ...given.record, locales: mode.locales };
  const options = resolveOptions({ ...given, record }, environment);
  const rule = recordRule(options);
  if (!rule) throw new Error('The config has no rule.');
  const client = openMediaService(serviceSettings(options), environment, () => {});
  const found = await createRecordReader(client, requestOf(rule)).read([4711]);
  const known = found.get(4711)?.record;
  if (!known) throw new Error('There is no record.');
  const use = inLanguage(languages.ofPage('/sv/'), undefined, languages);
  const asked = { ...use, id: 4711, known, languages, now: Date.now() };
  const read = readKnownRecord(rule, asked);
  expect([read.verdict.state, read.record?.alt]).toEqual([
    mode.isForbidden ? 'forbidden' : 'allowed',
    mode.alt ?? alt,
  ]);
  if ('focus' in mode.fields) expect(read.record?.focus).toEqual({ x: 0.2, y: 0.8 });
  await service.stop();
});

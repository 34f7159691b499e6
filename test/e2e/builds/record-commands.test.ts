/**
 * `config-process.test.ts` shows that each major evaluates a site's config for a command:
 * @module-tag any-astro
 * @module-tag slow
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const config = `
import { defineConfig } from 'astro/config';
import mediaAsset, { type RecordFields } from 'astro-media-asset';

const consent = ({ consent }: RecordFields) => (consent === 'no' ? 'forbidden' : 'allowed');

export default defineConfig({
  site: 'https://harbour.example',
  i18n: { locales: ['en', 'de'], defaultLocale: 'en' },
  integrations: [
    [
      mediaAsset({
        record: {
          fields: ['text_en', 'text_de'],
          read: (fields, { locale }) => ({ alt: fields['text_' + locale] }),
        },
        rights: {
          fields: ['consent', 'licenceTo'],
          optional: ['consent', 'licenceTo'],
          read: (fields) => ({ state: consent(fields), until: fields.licenceTo }),
          warnDays: 30,
        },
      }),
    ],
  ],
});
`;

const setup = useSite('bare');
const service = () => emulatorClient(setup.emulator);
const day = (offset: number) =>
  new Date(Date.now() + offset * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const soon = day(10);

beforeAll(async () => {
  await setup.site.remove('astro.config.mjs');
  await setup.site.write('astro.config.ts', config);
  const [harbour, quay] = ['<MediaAsset id={4711} />', '<MediaAsset id={4712} />'];
  await setup.site.write('src/pages/index.astro', astroPage(harbour + quay));
  await setup.site.write('src/pages/ferry.astro', astroPage(quay));
  await service().files.update(4711, { text_en: 'The harbour', text_de: 'Der Hafen' });
  await service().files.update(4712, { text_en: 'The quay', licenceTo: soon });
  await outputOf(setup.build());
}, 120_000);

describe('`media-asset record`', () => {
  test("shows the site's fields first, then all others, and what the site reads from them", async () => {
    const { exitCode, stdout } = await setup.command('record', '4712');
    expect({ exitCode, stdout: stdout.replaceAll(/ {3,}/g, '  ') }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^id {2}4712\ntext_en {2}The quay\nlicenceTo {2}.*\n(\S+ {2}.*\n)+\n/,
      ),
    });
    expect(stdout.slice(stdout.indexOf('\n\n'))).toEqual(`

astro.config.ts reads:
alt     The quay
rights  allowed, but not for long
until   ${soon}
`);
  });

  test('reads another language with --locale, and is data with --json', async () => {
    expect(await setup.data('record', '4711', '--locale', 'de')).toMatchObject({
      fields: { id: 4711, text_de: 'Der Hafen' },
      read: { alt: 'Der Hafen', credit: null, state: 'allowed', until: null, reason: null },
    });
  });

  test('shows the fields if `rights.read` returns something wrong', async () => {
    await service().files.update(4711, { licenceTo: 'soon' });
    const { exitCode, stdout, stderr } = await setup.command('record', '4711');
    await service().files.update(4711, { licenceTo: '' });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('licenceTo  soon');
    expect(stderr).toContain('`until` is "soon", expected a day');
    expect(stderr).toContain('[record-invalid]');
  });
});

describe('`media-asset doctor`', () => {
  const recordCheck = async () =>
    (await setup.data('doctor')).checks.find(
      ({ subject }: { subject: string }) => subject === 'records',
    );

  test('says which fields the site reads, and of how many records', async () => {
    await service().files.update(4711, { consent: 'yes' });
    expect(await recordCheck()).toMatchObject({
      state: 'ok',
      text: 'The service knows text_en, text_de, consent, licenceTo. The site reads 4 records.',
    });
  });

  test('names a field that the service does not send', async () => {
    await setup.site.edit('astro.config.ts', "'text_en', 'text_de'", "'text_en', 'txet_de'");
    const found = await recordCheck();
    await setup.site.edit('astro.config.ts', "'text_en', 'txet_de'", "'text_en', 'text_de'");
    expect(found).toMatchObject({
      state: 'warning',
      text: 'The service sends no `txet_de` for 4 assets.',
    });
  });
});

describe('`media-asset rights`', () => {
  const pages = ['https://harbour.example/', 'https://harbour.example/ferry/'];

  test('lists the assets on pages, and what ends first', async () => {
    const { exitCode, stdout } = await setup.command('rights');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `state      id  name     until       pages
ending   4712  quay     ${soon}  /, /ferry/
allowed  4711  harbour              /
2 assets: 0 forbidden, 1 ending, 0 unknown, 1 allowed.
`,
    });
  });

  test('lists the assets of pages that are excluded from reports', async () => {
    const { assets } = await setup.data('rights', 'dist', '--exclude', '/ferry/**');
    expect(assets).toMatchObject([{ id: 4712, pages }, { id: 4711 }]);
  });

  test('ends with 1 if a page shows something forbidden', async () => {
    await service().files.update(4711, { licenceTo: day(-1) });
    await service().files.update(4712, { consent: 'no' });
    const found = await setup.data('rights', 'dist');
    await service().files.update(4711, { licenceTo: '' });
    await service().files.update(4712, { consent: 'yes' });
    expect(found).toMatchObject({
      exitCode: 1,
      assets: [
        {
          ...{ id: 4711, name: 'harbour', state: 'forbidden', until: day(-1), pages: [pages[0]] },
          reason: `rights ended on ${day(-1)}`,
        },
        { id: 4712, state: 'forbidden', reason: null, until: soon, pages },
      ],
      counts: { forbidden: 2, ending: 0, unknown: 0, allowed: 0 },
    });
  });

  test('needs `rights.fields`', async () => {
    await setup.site.write(
      'astro.config.ts',
      config.replace(/rights: \{.*warnDays: 30,\n {8}\},/s, ''),
    );
    const { exitCode, stderr } = await setup.command('rights');
    await setup.site.write('astro.config.ts', config);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('[record-unread]');
  });
});

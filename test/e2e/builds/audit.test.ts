/**
 * Reads what a build has left:
 * @module-tag any-astro
 * @module-tag slow
 */
import { beforeAll, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { drawMarked, markOf } from '../../support/images/marked-images.ts';
import { astroConfig, astroPage, twoLanguages } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const options = `{
  record: {
    fields: ['text', 'text_de', 'photographer', 'source'],
    read: (fields, { locale }) => ({
      alt: locale === 'de' ? fields.text_de : fields.text,
      creator: fields.photographer && fields.photographer.split('; '),
      source: fields.source,
    }),
  },
  rights: {
    fields: ['consent', 'licenceTo'],
    optional: ['consent', 'licenceTo'],
    read: ({ consent, licenceTo }) => ({ state: consent, until: licenceTo }),
    unknown: 'warn',
  },
  report: { exclude: ['/credits/'] },
  sourceLabels: { trainedAlgorithmicMedia: { en: 'AI', de: 'KI' } },
}`;

const setup = useSite('bare', { files: { 'photo.pdf': Buffer.from('%PDF-1.4\n%%EOF\n') } });
const soon = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

beforeAll(async () => {
  const { files } = emulatorClient(setup.emulator);
  const text = { text: 'The harbour', text_de: 'The harbour', consent: 'allowed' };
  await files.update(4711, { ...text, photographer: 'Ada Berg; Bo' });
  await files.update(4713, { ...text, text: 'quay', photographer: 'Bo', licenceTo: soon });
  await files.update(4714, { ...text, text: 'IMG_4714', photographer: '' });
  const marked = await drawMarked('jpeg', { xmp: markOf('trainedAlgorithmicMedia') });
  await setup.replaceAsset('ship.jpg', marked);
  await setup.site.write('astro.config.mjs', astroConfig(options, twoLanguages));
  const english = `<MediaAsset id={4711} /><p>By <b>Bo</b> and ADA&nbsp;BERG</p>
    <MediaAsset id={4713} width={40} /><MediaAsset id={4714} formats={['avif', 'webp']} sizes="20px" />
    <MediaFile id={4712} name="Photo" />`;
  const german = `<MediaAsset id={4711} />Bohr <MediaAsset id={4714} alt="Turm" /><MediaCredit id={4714} />`;
  await setup.site.write('src/pages/index.astro', astroPage(english));
  await setup.site.write('src/pages/de/index.astro', astroPage(german, { lang: 'de' }));
  await outputOf(setup.build());
  setup.requests();
}, 120_000);

const audit = (...words: string[]) => setup.data('audit', ...words);

test('joins pages with what the build has cached, without credentials or a request', async () => {
  const words = ['audit', 'dist', '--json', '--fail-on', 'alt-missing,rights-forbidden'];
  const { exitCode, stdout } = await setup.site.command({}, ...words);
  expect(setup.requests()).toEqual([]);
  const page = 'https://harbour.example/';
  const file = { as: 'file', alt: null, credited: false };
  expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    images: [
      {
        ...{ id: 4711, name: 'harbour', page, language: 'en', as: 'image', alt: 'The harbour' },
        ...{ credit: 'Ada Berg, Bo', credited: true, rights: 'allowed', until: null },
        problems: ['alt-same-in-two-languages'],
      },
      {
        ...{ id: 4713, name: 'quay', credit: 'Bo', credited: true, rights: 'ending', until: soon },
        problems: ['rights-end-soon'],
      },
      {
        ...{ id: 4714, name: 'ship', credit: '', credited: false, rights: 'allowed' },
        origin: 'trainedAlgorithmicMedia',
        problems: ['alt-is-file-name', 'missing-credit', 'generated-without-label'],
      },
      { ...file, id: 4712, name: 'photo', rights: 'unknown', problems: ['rights-unknown'] },
      {
        ...{ id: 4711, page: `${page}de/`, language: 'de', credited: false },
        problems: ['alt-same-in-two-languages', 'missing-credit'],
      },
      { id: 4714, alt: 'Turm', labelled: true, problems: ['missing-credit'] },
    ],
    counts: { images: 6, unchecked: { 'missing-credit': 0 } },
  });
});

test('a credit counts if the page has its text, and on a page that is not reported, for each asset of a list', async () => {
  const { files } = emulatorClient(setup.emulator);
  await files.update(4713, { photographer: '©' });
  const silent = '---\n---\n<html><img data-media-asset="4713" alt="Quay" /></html>';
  await setup.site.write('src/pages/silent.astro', silent);
  await outputOf(setup.build());
  expect((await audit()).images.at(-1)).toMatchObject({ id: 4713, credit: '©', credited: false });

  await setup.site.remove('src/pages/silent.astro');
  await files.update(4713, { photographer: 'Bo' });
  await setup.site.write('src/pages/credits.astro', astroPage('<MediaCredits />'));
  await outputOf(setup.build());
  const { images } = await audit();
  const uncredited = images.filter(({ credited }: { credited: boolean }) => !credited);
  expect(uncredited.map(({ id }: { id: number }) => id)).toEqual([4714, 4712, 4714]);
});

test('fields that the build has not read prove nothing', async () => {
  await setup.site.edit('astro.config.mjs', "'photographer',", "'photographer', 'byline',");
  const found = await audit('--fail-on', 'rights-forbidden');
  await setup.site.edit('astro.config.mjs', " 'byline',", '');
  expect(found).toMatchObject({
    exitCode: 3,
    images: [{ id: 4711, rights: null }, {}, {}, {}, {}, {}],
  });
});

test('without the cache, what pages show is still checked', async () => {
  await setup.site.remove('node_modules/.astro');
  expect(await audit('--fail-on', 'alt-is-file-name')).toMatchObject({ exitCode: 1 });
  expect(await audit('--fail-on', 'missing-credit')).toMatchObject({
    exitCode: 3,
    counts: { unchecked: { 'missing-credit': 6, 'alt-missing': 0 } },
    findings: [{ code: 'audit-incomplete', severity: 'error' }],
  });
});

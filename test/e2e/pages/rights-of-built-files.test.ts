/**
 * Built files, whichever Astro wrote them:
 * @module-tag any-astro
 * @module-tag slow
 */
import { beforeAll, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { astroConfig, astroPage } from '../../support/site/site-files.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const setup = useSite('bare');

/** Without the option `record`. */
const options = `{ rights: {
  fields: ['notIn'],
  optional: ['notIn'],
  read: ({ notIn }, { language }) => ({ state: notIn === language ? 'forbidden' : 'allowed' }),
} }`;
const i18n = "i18n: { locales: ['en', 'de'], defaultLocale: 'en' },";

beforeAll(async () => {
  await emulatorClient(setup.emulator).files.update(4712, { notIn: 'en' });
  await setup.site.write(
    'astro.config.mjs',
    astroConfig(options, `site: 'https://harbour.example', ${i18n}`),
  );
});

test('a text that mentions an asset fails no build, and a stylesheet has the languages of its pages', async () => {
  const service = `${setup.emulator.env.MEDIA_ASSET_BASE_URL}/1/file`;
  const rendition = '_astro/media-asset/999999-0123456789abcdef-0123456789abcdef-quay.webp';
  const alt = `The original: ${service}/999999/download/0`;
  const image = `<MediaAsset id={4711} width={80} alt="${alt}" />`;
  await setup.site.write(
    'src/pages/index.astro',
    astroPage(`<code>/${rendition}</code>${image}<p data-text="${alt}">${alt}</p>`),
  );
  await setup.site.write('public/llms.txt', `- [Quay](/${rendition}): ${alt}\n`);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code of an endpoint
  const rule = '`p { background: url(${one.src}) }`';
  await setup.site.write(
    'src/pages/look.css.ts',
    `import { getMediaAsset } from 'astro-media-asset/components';
export async function GET() {
  const one = await getMediaAsset({ id: 4712, alt: '' });
  return new Response(${rule});
}`,
  );
  await setup.site.write(
    'src/pages/de/index.astro',
    astroPage('<link rel="stylesheet" href="/look.css">', { script: 'getMediaAsset;' }),
  );
  await outputOf(setup.build());
  expect(await setup.site.files('dist/_astro/media-asset/4712-*')).toHaveLength(1);
});

test('an asset whose URL counts as a usage is judged, however the URL is written', async () => {
  const base = new URL(setup.emulator.env.MEDIA_ASSET_BASE_URL ?? '');
  const file = '1/file/4712/download/0';
  const urls = [
    ...[`${base.href}${file}`, `HTTP://${base.host}/${file}`, `//${base.host}/${file}`],
    ...[`${base.href}${file.replace('4', '%34')}`, `${base.href}./${file}`],
    ...[`http:\\\\${base.host}\\${file.replaceAll('/', '\\')}`, `https://${base.host}/${file}`],
  ];
  await setup.site.remove('src/pages');
  for (const [index, url] of urls.entries())
    await setup.site.write(
      `src/pages/page-${index}.astro`,
      astroPage(`<img src={${JSON.stringify(url)}} alt="">`, { script: 'getMediaAsset;' }),
    );
  const output = await outputOf(setup.build(), 1);
  expect(output).toContain('forbidden-address');
  for (const index of urls.keys()) expect(output).toContain(`/page-${index}/`);
});

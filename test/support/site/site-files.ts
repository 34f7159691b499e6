/** Settings of a site whose pages can be in two languages. */
export const twoLanguages =
  "site: 'https://harbour.example', i18n: { locales: ['en', 'de'], defaultLocale: 'en' },";

/** An Astro config with the integration. `options` and `settings` are code. */
export function astroConfig(
  options: string,
  settings = "site: 'https://harbour.example',",
): string {
  return `import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';

export default defineConfig({
  ${settings}
  integrations: [mediaAsset(${options})],
});
`;
}

const exported =
  /\b(?:getMediaAsset|getMediaFile|MediaAsset|MediaCredits?|MediaFile|MediaVideo)\b/g;

/** A page that imports what it uses of our components. `script` and `body` are code. */
export function astroPage(
  body: string,
  {
    title = 'Harbour',
    lang = 'en',
    script = '',
  }: { title?: string; lang?: string; script?: string } = {},
): string {
  const used = [...new Set(`${script} ${body}`.match(exported))];
  return `---
import { ${used.join(', ')} } from 'astro-media-asset/components';
${script}
---
<html lang="${lang}"><head><title>${title}</title></head>
<body>${body}</body></html>
`;
}

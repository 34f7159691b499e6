import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';

export default defineConfig({
  site: 'https://museum.example',
  i18n: { locales: ['en', { path: 'no', codes: ['nb'] }], defaultLocale: 'en' },
  integrations: [
    mediaAsset({
      // The fields that the museum's editors fill in.
      record: {
        fields: ['alttext', 'alttext_nb', 'photographer'],
        read: (fields, { locale }) => ({
          alt: (locale === 'nb' && fields.alttext_nb) || fields.alttext,
          credit: fields.photographer && `© ${fields.photographer}`,
          creator: fields.photographer,
        }),
      },
      rights: {
        fields: ['consent', 'licensed_until'],
        // Most of the museum's pictures show no people, and are its own.
        optional: ['consent', 'licensed_until'],
        read: (fields) => ({
          state: fields.consent === 'withdrawn' ? 'forbidden' : 'allowed',
          until: fields.licensed_until,
        }),
      },
    }),
  ],
});

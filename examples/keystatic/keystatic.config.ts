import { collection, config, fields } from '@keystatic/core';
import { block } from '@keystatic/core/content-components';
import { mediaAsset } from 'astro-media-asset/cms/keystatic';

export default config({
  storage: { kind: 'local' },
  collections: {
    posts: collection({
      label: 'Posts',
      slugField: 'title',
      path: 'src/content/posts/*',
      format: { contentField: 'body' },
      schema: {
        title: fields.slug({ name: { label: 'Title' } }),
        hero: mediaAsset({ label: 'Hero', validation: { isRequired: true } }),
        teaser: mediaAsset({ label: 'Teaser', description: 'For the list of posts' }),
        body: fields.markdoc({
          label: 'Body',
          components: {
            mediaAsset: block({
              label: 'Media asset',
              schema: { image: mediaAsset({ label: 'Image' }) },
            }),
          },
        }),
      },
    }),
  },
});

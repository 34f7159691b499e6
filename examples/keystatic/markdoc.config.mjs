import { component, defineMarkdocConfig } from '@astrojs/markdoc/config';

export default defineMarkdocConfig({
  tags: {
    mediaAsset: {
      render: component('./src/components/BodyImage.astro'),
      attributes: { image: { type: Object, required: true } },
    },
  },
});

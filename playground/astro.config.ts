import { defineConfig } from 'astro/config';
import mediaAssets from 'astro-media-asset';

export default defineConfig({
  site: 'https://museum.example',
  integrations: [mediaAssets()],
});

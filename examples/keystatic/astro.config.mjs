import markdoc from '@astrojs/markdoc';
import react from '@astrojs/react';
import keystatic from '@keystatic/astro';
import { defineConfig } from 'astro/config';
import mediaAsset from 'astro-media-asset';
import { startEmulator } from 'astro-media-asset/emulator';

// A media service with three sample images. Delete this when .env has the address of your own.
globalThis.emulator ??= await startEmulator({
  media: 'node_modules/astro-media-asset/samples',
  data: '.emulator',
  port: 4710,
}).catch((error) => {
  // The dev server runs it, and this is a build or a command.
  if (error.code !== 'emulator-data-unusable') throw error;
});

// Keystatic's pages need a server, so a static site has them in `astro dev` alone.
const editing = process.argv.includes('dev') ? [react(), keystatic()] : [];

export default defineConfig({
  site: 'https://www.example.org',
  integrations: [markdoc(), ...editing, mediaAsset()],
});

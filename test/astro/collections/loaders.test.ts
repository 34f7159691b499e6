import { expect, test } from 'vitest';
import { mediaFolderLoader, mediaSearchLoader } from '../../../src/astro/collections/loaders.ts';

test.each([mediaFolderLoader({ folder: 1 }), mediaSearchLoader({ query: 'ship' })])(
  'the loader $name needs the integration, and says so',
  async (loader) => {
    await expect(loader.load({} as never)).rejects.toMatchObject({
      code: 'renderer-alone',
      hint: expect.stringContaining('add mediaAsset() to the integrations'),
    });
  },
);

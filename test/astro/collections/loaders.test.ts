import { expect, test } from 'vitest';
import { mediaFolderLoader } from '../../../src/astro/collections/loaders.ts';

test('the loader needs the integration, and says so', async () => {
  await expect(mediaFolderLoader({ folder: 1 }).load({} as never)).rejects.toMatchObject({
    code: 'renderer-alone',
    hint: expect.stringContaining('add mediaAsset() to the integrations'),
  });
});

import { expect, test } from 'vitest';
import { pickFrame, readChunks } from '../../../src/assets/formats/png-chunks.ts';
import { drawApng } from '../../support/images/handmade-animations.ts';

test('the picked frame of an animated PNG is a PNG of that frame alone', async () => {
  const size = { width: 8, height: 6 };
  const frames = [
    { ...size, width: 2, color: 'red' },
    { ...size, color: 'lime' },
  ];
  const animated = await drawApng([...frames, { ...size, color: 'blue' }], {
    ...size,
    color: 'white',
  });
  const alone = await drawApng([{ ...size, color: 'lime' }]);
  const still = readChunks(alone).filter(([type]) => !['acTL', 'fcTL'].includes(type));
  expect(readChunks(pickFrame(animated))).toEqual(still);
});

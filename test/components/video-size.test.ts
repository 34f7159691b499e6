import { expect, test } from 'vitest';
import { videoSize } from '../../src/components/video-size.ts';

const natural = { width: 1280, height: 720 };

test.each([
  ['neither side', {}, natural],
  ['a width', { width: 640 }, { width: 640, height: 360 }],
  ['a width in a text', { width: '640' }, { width: '640', height: 360 }],
  ['a height', { height: 100 }, { width: 178, height: 100 }],
  ['both sides', { width: 100, height: 100 }, { width: 100, height: 100 }],
  ['a share of what is around it', { width: '100%' }, { width: '100%', height: undefined }],
])('%s of a video is kept, and what is missing follows its shape', (_, given, size) => {
  expect(videoSize(given, natural)).toEqual(size);
});

test('nothing is made up for a video of unknown size', () => {
  expect(videoSize({ width: 640 }, {})).toEqual({ width: 640 });
});

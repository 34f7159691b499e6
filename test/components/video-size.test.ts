import { expect, test } from 'vitest';
import { videoSize } from '../../src/components/video-size.ts';

const natural = { width: 1280, height: 720 };

test.each([
  ['neither side', {}, natural],
  ['a width', { width: 640 }, { width: 640, height: 360 }],
  ['a width as text', { width: '640' }, { width: '640', height: 360 }],
  ['a height', { height: 100 }, { width: 178, height: 100 }],
  ['both sides', { width: 100, height: 100 }, { width: 100, height: 100 }],
  ['a width in percent', { width: '100%' }, { width: '100%', height: undefined }],
])("keeps %s, and adds the missing side by the video's aspect ratio", (_, given, size) => {
  expect(videoSize(given, natural)).toEqual(size);
});

test('adds no side to a video of unknown size', () => {
  expect(videoSize({ width: 640 }, {})).toEqual({ width: 640 });
});

import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { findAttention } from '../../src/images/find-attention.ts';
import { findPlaceholder } from '../../src/images/find-placeholder.ts';
import type { ImagesContext } from '../../src/images/images-context.ts';
import type { Source } from '../../src/images/source.ts';
import { drawTestPicture } from '../support/test-pictures.ts';

const size = { width: 120, height: 80 };
const rectangle = { x: 0, y: 0, ...size };
const corner = { x: 0, y: 0 };
const picture = await drawTestPicture({ path: 'a.jpg', ...size });

type Context = Pick<ImagesContext, 'cache' | 'sources' | 'inTurn'>;

/** A cache with any source in it. `most`: of which bytes were read and nothing was made yet. */
function countInMemory() {
  const held = { now: 0, most: 0 };
  const cache: Partial<ImagesContext['cache']> = {
    readRendition: async () => undefined,
    async read() {
      held.now += 1;
      held.most = Math.max(held.most, held.now);
      return picture;
    },
    async addRendition() {
      held.now -= 1;
    },
  };
  return { cache: cache as ImagesContext['cache'], held };
}

test.each<[string, (context: Context, source: Source) => Promise<unknown>]>([
  [
    'blurred placeholders',
    (context, source) => findPlaceholder(context, { kind: 'blur', source, corner, rectangle }),
  ],
  [
    'placeholders of one colour',
    (context, source) => findPlaceholder(context, { kind: 'color', source, corner, rectangle }),
  ],
  ['points that draw the eye', (context, source) => findAttention(context, source, rectangle)],
])('%s of a gallery hold no more sources in memory than have their turn', async (_, find) => {
  const { cache, held } = countInMemory();
  const context = { cache, sources: {} as ImagesContext['sources'], inTurn: pLimit(2) };
  const gallery = Array.from({ length: 12 }, (_, at) => {
    const reference = { kind: 'original', service: 'https://dam.example', id: at + 1 } as const;
    return { reference, hash: String(at), transparent: false } as Source;
  });
  await Promise.all(gallery.map((source) => find(context, source)));
  expect(held).toEqual({ now: 0, most: 2 });
});

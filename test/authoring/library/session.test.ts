import { afterEach, expect, test, vi } from 'vitest';

/** Its types need those of a browser. */
const { createSession } = await vi.importActual<{
  createSession(
    base: string,
    given: { send(url: string): Promise<Response> },
  ): { original(asset: object): Promise<{ image: string; original: object }> };
}>('../../../src/authoring/library/session.ts');

afterEach(() => vi.unstubAllGlobals());

const whole = { width: 3000, height: 4000 };

test("the crop editor has an image's size as displayed, which a list may not know", async () => {
  vi.stubGlobal('IntersectionObserver', class {});
  const session = createSession('/', {
    send: async (url) =>
      url.includes('asset.json') ? Response.json({ size: whole }) : new Response('an image'),
  });
  const turned = { id: 1, name: 'quay', size: { width: 4000, height: 3000 } };
  const { image, original } = await session.original(turned);
  URL.revokeObjectURL(image);
  expect(original).toEqual(whole);
});

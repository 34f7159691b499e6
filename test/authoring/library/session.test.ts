import { afterEach, expect, test, vi } from 'vitest';

/** Its types need those of a browser. */
const { createSession } = await vi.importActual<{
  createSession(
    base: string,
    given: { send(url: string): Promise<Response> },
  ): { original(asset: object): Promise<{ image: string }> };
}>('../../../src/authoring/library/session.ts');

afterEach(() => vi.unstubAllGlobals());

test("the crop editor has a library asset's size as displayed, which a list may not know, and the focus of its record", async () => {
  vi.stubGlobal('IntersectionObserver', class {});
  const size = { width: 3000, height: 4000 };
  const focus = { x: 0.9, y: 0.1 };
  const session = createSession('/', {
    send: async (url) =>
      url.includes('asset.json')
        ? Response.json({ size, record: { focus } })
        : new Response('an image'),
  });
  const turned = { id: 1, name: 'quay', size: { width: 4000, height: 3000 } };
  const { image, ...shown } = await session.original(turned);
  URL.revokeObjectURL(image);
  expect(shown).toEqual({ original: size, recordFocus: focus });
});

import { afterEach, describe, expect, test } from 'vitest';
import { installRenderer, type Renderer, rendererKey } from '../../src/astro/renderer.ts';
import { virtualModuleName, virtualModulePlugin } from '../../src/astro/virtual-module.ts';

/** Loads and runs the module's code like Vite. */
async function load(state = '') {
  const plugin = virtualModulePlugin(async () => state);
  const resolved = plugin.resolveId(virtualModuleName);
  const code = (await plugin.load(resolved ?? '')) ?? '';
  const module = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}#${Math.random()}`
  );
  return module as { state: string } & Renderer;
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for(rendererKey));
});

describe('the virtual module', () => {
  test('resolves one name and leaves all others alone', () => {
    const plugin = virtualModulePlugin(async () => '');
    expect(plugin.resolveId('virtual:other')).toBeUndefined();
    expect(plugin.load(virtualModuleName)).toBeUndefined();
    expect(plugin.load('/src/pages/index.astro')).toBeUndefined();
  });

  test('uses the renderer that was installed last', async () => {
    const { getMediaAsset, getMediaCredit, getMediaFile } = await load();
    for (const id of [1, 2]) {
      installRenderer({
        readProps: async () => ({ own: { id }, attributes: {}, place: undefined }),
        getMediaAsset: async () => ({ available: false, id }),
        getMediaFile: async () => ({ available: false, id: -id }),
        getMediaCredit: async () => ({ available: false, id: 2 * id }),
        structuredData: () => undefined,
        imageAttributes: () => ({ attributes: {}, sources: [], below: undefined }),
      });
      const request = { id: 4711, alt: '', page: '/' };
      expect(await getMediaAsset(request)).toEqual({ available: false, id });
      expect(await getMediaCredit(request)).toEqual({ available: false, id: 2 * id });
      expect(await getMediaFile(request)).toEqual({ available: false, id: -id });
    }
  });

  test('contains the state with any characters', async () => {
    const state = 'a\'b"c`$d\\\n</script>';
    expect((await load(state)).state).toBe(state);
  });

  test('changes its code with the state', async () => {
    let state = 'a';
    const plugin = virtualModulePlugin(async () => state);
    const name = plugin.resolveId(virtualModuleName) ?? '';
    const before = await plugin.load(name);
    state = 'b';
    expect(await plugin.load(name)).not.toBe(before);
  });

  test('names the page and asset of a component that a deployed server renders', async () => {
    const { readProps } = await load();
    const given = { component: 'MediaAsset', page: '/live', props: { id: 4714 } } as const;
    await expect(readProps({ ...given, isPrerendered: false })).rejects.toThrow(
      expect.objectContaining({
        name: 'MediaAssetError [component-on-demand]',
        message:
          '/live: <MediaAsset id={4714}> is rendered on demand. It only works on prerendered pages.',
        hint: expect.stringContaining('export const prerender = true'),
      }),
    );
    await expect(readProps({ ...given, isPrerendered: true })).rejects.toThrow('in a process');
  });

  test('says what to do if no renderer is available', async () => {
    const { getMediaAsset } = await load();
    await expect(getMediaAsset({ id: 4711, alt: '', page: '/' })).rejects.toMatchObject({
      name: 'MediaAssetError [renderer-alone]',
      hint: expect.stringContaining('mediaAssets()'),
    });
  });
});

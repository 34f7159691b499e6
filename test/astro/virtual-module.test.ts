import { afterEach, describe, expect, test } from 'vitest';
import { installRenderer, type Renderer, rendererKey } from '../../src/astro/renderer.ts';
import { virtualModuleName, virtualModulePlugin } from '../../src/astro/virtual-module.ts';

const loopback = { url: 'http://127.0.0.1:1/', secret: 'a secret' };

const pluginWith = (state = '') =>
  virtualModulePlugin(
    async () => state,
    async () => loopback,
  );

/** The module's code in an environment of Vite. */
async function codeIn(
  { name = 'ssr', command = 'build', conditions = ['node'] }: Partial<Environment> = {},
  plugin = pluginWith(),
): Promise<string> {
  const environment = { name, config: { command, resolve: { conditions } } };
  const code = await plugin.load.call({ environment }, plugin.resolveId(virtualModuleName) ?? '');
  return code ?? '';
}

interface Environment {
  name: string;
  command: 'build' | 'serve';
  conditions: readonly string[];
}

/** Loads and runs the module's code like Vite. */
async function load(state = '') {
  const code = await codeIn({}, pluginWith(state));
  const module = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}#${Math.random()}`
  );
  return module as { state: string; readProps(given: object): object } & Renderer;
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for(rendererKey));
});

describe('the virtual module', () => {
  test('resolves one name and leaves all others alone', async () => {
    const plugin = pluginWith();
    expect(plugin.resolveId('virtual:other')).toBeUndefined();
    const environment = { name: 'ssr', config: { command: 'build', resolve: { conditions: [] } } };
    for (const name of [virtualModuleName, '/src/pages/index.astro'])
      expect(await plugin.load.call({ environment } as never, name)).toBeUndefined();
  });

  test('uses the renderer that was installed last', async () => {
    const { getMediaAsset, getMediaCredit, getMediaFile } = await load();
    for (const id of [1, 2]) {
      installRenderer({
        checkCall: async () => {},
        getMediaAsset: async () => ({ available: false, id }),
        getMediaFile: async () => ({ available: false, id: -id }),
        getMediaCredit: async () => ({ available: false, id: 2 * id }),
        structuredData: async () => undefined,
      });
      const request = { id: 4711, alt: '', page: '/' };
      expect(await getMediaAsset(request)).toEqual({ available: false, id });
      expect(await getMediaCredit(request)).toEqual({ available: false, id: 2 * id });
      expect(await getMediaFile(request)).toEqual({ available: false, id: -id });
    }
  });

  test("splits the component's own props from the element's attributes, and loses none", async () => {
    const { readProps } = await load();
    const own = { id: 4711, alt: 'The quay', widths: [320], crop: undefined, priority: true };
    const attributes = { class: 'wide', onload() {}, corp: undefined };
    const given = { component: 'MediaAsset', page: '/', isPrerendered: true };
    const props = { ...attributes, ...own };
    const call = { ...given, props, place: undefined };
    expect(readProps({ ...given, props })).toEqual({ own, attributes, call });
  });

  test('contains the state with any characters', async () => {
    const state = 'a\'b"c`$d\\\n</script>';
    expect((await load(state)).state).toBe(state);
  });

  test.each<[string, Partial<Environment>, boolean]>([
    ['a page that a build renders in Node', { name: 'prerender' }, false],
    [
      'a page that a build renders in workerd',
      { name: 'prerender', conditions: ['workerd'] },
      true,
    ],
    ['a server that is deployed to workerd', { conditions: ['workerd'] }, false],
    ['a browser', { name: 'client', conditions: ['browser'] }, false],
    ['`astro dev` in Node', { command: 'serve' }, false],
    ['`astro dev` in workerd', { command: 'serve', conditions: ['workerd'] }, true],
  ])('knows the address of the build only where it needs it: %s', async (_, where, isRemote) => {
    const plugin = pluginWith();
    const code = await codeIn(where, plugin);
    const chunk = (await plugin.renderChunk(code))?.code ?? code;
    expect(chunk.includes(JSON.stringify(loopback))).toBe(isRemote);
    // Astro's page cache compares the code of builds.
    if (where.command !== 'serve') expect(code).not.toContain(loopback.secret);
  });

  test('names the page and asset of a component that a deployed server renders', async () => {
    const { getMediaAsset } = await load();
    const request = { id: 4714, alt: '', page: '/live' };
    const call = { component: 'MediaAsset', page: '/live', props: request } as const;
    await expect(getMediaAsset(request, { ...call, isPrerendered: false })).rejects.toThrow(
      expect.objectContaining({
        name: 'MediaAssetError [component-on-demand]',
        message:
          '/live: <MediaAsset id={4714}> is rendered on demand. It only works on prerendered pages.',
        hint: expect.stringContaining('export const prerender = true'),
      }),
    );
    await expect(getMediaAsset(request, { ...call, isPrerendered: true })).rejects.toThrow(
      'in a process',
    );
  });

  test('says what to do if no renderer is available', async () => {
    const { getMediaAsset } = await load();
    await expect(getMediaAsset({ id: 4711, alt: '', page: '/' })).rejects.toMatchObject({
      name: 'MediaAssetError [renderer-alone]',
      hint: expect.stringContaining('mediaAsset()'),
    });
  });
});

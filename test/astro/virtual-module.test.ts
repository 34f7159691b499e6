import { afterEach, describe, expect, test } from 'vitest';
import {
  installRenderer,
  type Renderer,
  rendererCalls,
  rendererKey,
} from '../../src/astro/renderer.ts';
import { callSiteKey } from '../../src/astro/runtime/ask.ts';
import { virtualModulePlugin } from '../../src/astro/virtual-module.ts';

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
  const code = await plugin.load.call(
    { environment },
    plugin.resolveId('virtual:astro-media-asset') ?? '',
  );
  return code ?? '';
}

interface Environment {
  name: string;
  command: 'build' | 'serve';
  conditions: readonly string[];
}

type Ask = { [Name in keyof Renderer]: (request?: object) => ReturnType<Renderer[Name]> };

/** Loads and runs the module's code like Vite. */
async function load(state = '') {
  const code = await codeIn({}, pluginWith(state));
  const module = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}#${Math.random()}`
  );
  return module as {
    state: string;
    ask: Ask;
    readProps(component: string, astro: object): { own: object; attributes: object; ask: Ask };
  };
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for(rendererKey));
});

describe('the virtual module', () => {
  test('resolves one name and leaves all others alone', async () => {
    const plugin = pluginWith();
    expect(plugin.resolveId('virtual:other')).toBeUndefined();
    const environment = { name: 'ssr', config: { command: 'build', resolve: { conditions: [] } } };
    for (const name of ['virtual:astro-media-asset', '/src/pages/index.astro'])
      expect(await plugin.load.call({ environment } as never, name)).toBeUndefined();
  });

  test('uses the renderer that was installed last', async () => {
    const { ask } = await load();
    for (const id of [1, 2]) {
      installRenderer({
        check: async () => {},
        asset: async () => ({ available: false, id }),
        file: async () => ({ available: false, id: -id }),
        credit: async () => ({ available: false, id: 2 * id }),
        structuredData: async () => undefined,
      });
      const request = { id: 4711, alt: '', page: '/' };
      expect(await ask.asset(request)).toEqual({ available: false, id });
      expect(await ask.credit(request)).toEqual({ available: false, id: 2 * id });
      expect(await ask.file(request)).toEqual({ available: false, id: -id });
    }
  });

  test("splits the component's own props from the element's attributes, and loses none", async () => {
    const { readProps } = await load();
    const own = { id: 4711, alt: 'The quay', widths: [320], crop: undefined, priority: true };
    const attributes = { class: 'wide', onload() {}, corp: undefined };
    const props = { ...attributes, ...own };
    const astro = { url: new URL('https://a.example/de/?x'), isPrerendered: true, props };
    expect(readProps('MediaAsset', astro)).toMatchObject({ own, attributes });
  });

  test('tells who asks with each request of a component, and with none of a function', async () => {
    const { ask, readProps } = await load();
    const asked: unknown[] = [];
    const note = async (...given: unknown[]) => void asked.push(given);
    installRenderer(Object.fromEntries(rendererCalls.map((name) => [name, note])) as never);
    const props = { id: 4711, [Symbol.for(callSiteKey)]: { file: 'a.astro', line: 2 } };
    const astro = { url: new URL('https://a.example/de/?x'), isPrerendered: true, props };
    const ofComponent = readProps('MediaFile', astro).ask;
    for (const name of rendererCalls) await ofComponent[name]({ id: 4711 });
    const call = { component: 'MediaFile', page: '/de/', isPrerendered: true, props };
    const place = { file: 'a.astro', line: 2 };
    expect(asked).toEqual(rendererCalls.map(() => [{ id: 4711 }, { ...call, place }]));
    await ask.asset({ id: 4712 });
    expect(asked.at(-1)).toEqual([{ id: 4712 }, undefined]);
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
    const chunk = (await plugin.renderChunk.handler(code))?.code ?? code;
    expect(chunk.includes(JSON.stringify(loopback))).toBe(isRemote);
    // Astro's page cache compares the code of builds.
    if (where.command !== 'serve') expect(code).not.toContain(loopback.secret);
  });

  test('names the page and asset of a component that a deployed server renders', async () => {
    const { readProps } = await load();
    const props = { id: 4714, alt: '' };
    const askOn = (isPrerendered: boolean) =>
      readProps('MediaAsset', { url: new URL('https://a.example/live'), isPrerendered, props }).ask;
    await expect(askOn(false).asset(props)).rejects.toThrow(
      expect.objectContaining({
        name: 'MediaAssetError [component-on-demand]',
        message:
          '/live: <MediaAsset id={4714}> is rendered on demand. It only works on prerendered pages.',
        hint: expect.stringContaining('export const prerender = true'),
      }),
    );
    await expect(askOn(true).asset(props)).rejects.toThrow('in a process');
  });

  test('says what to do if no renderer is available', async () => {
    const { ask } = await load();
    await expect(ask.asset({ id: 4711, alt: '', page: '/' })).rejects.toMatchObject({
      name: 'MediaAssetError [renderer-alone]',
      hint: expect.stringContaining('mediaAsset()'),
    });
  });
});

import type { ComponentCall, OwnProps } from '../../assets/request/check-props.ts';
import type { Place } from '../../errors/place.ts';
import { type Renderer, rendererCalls, rendererKey } from '../renderer.ts';

/** The prop with the place of a component's tag. A symbol, so nothing renders or checks it. */
export const callSiteKey = 'astro-media-asset.call-site';

/** The functions of the renderer, for one call. */
type AskAll = {
  readonly [Call in keyof Renderer]: (
    request: Parameters<Renderer[Call]>[0],
  ) => ReturnType<Renderer[Call]>;
};

/** How pages, also of another runtime (`remote`), reach the renderer. Imports nothing of Node. */
export function createAsk(
  ownProps: { readonly [Name in keyof OwnProps]: readonly string[] },
  remote?: Renderer,
) {
  function askFor(call?: ComponentCall): AskAll {
    const to = (name: keyof Renderer) => async (request: object) => {
      const installed = Reflect.get(globalThis, Symbol.for(rendererKey)) ?? remote;
      // A deployed server only loads the catalogue of errors for this.
      return (installed ?? (await import('./refuse.ts')).refuse(call))[name](request, call);
    };
    return Object.fromEntries(rendererCalls.map((name) => [name, to(name)])) as unknown as AskAll;
  }

  return {
    /** What functions ask. */
    ask: askFor() as Pick<AskAll, 'asset' | 'file' | 'credit'>,
    /** A component's own props, the attributes of its element, and what it asks for its page. */
    readProps<Name extends keyof OwnProps, Props extends object>(
      component: Name,
      { url, isPrerendered, props }: { url: URL; isPrerendered: boolean; props: Props },
    ) {
      const entries = Map.groupBy(Object.entries(props), ([name]) =>
        ownProps[component].includes(name),
      );
      // A symbol doesn't reach another runtime.
      const given = props as Readonly<Record<string | symbol, unknown>>;
      const place = given[Symbol.for(callSiteKey)] as Place | undefined;
      const call = { component, page: url.pathname, isPrerendered, props: given, place };
      return {
        own: Object.fromEntries(entries.get(true) ?? []) as Pick<
          Props,
          OwnProps[Name] & keyof Props
        >,
        attributes: Object.fromEntries([
          ...(entries.get(false) ?? []),
          ...('htmlId' in props ? [['id', props.htmlId]] : []),
        ]) as Omit<Props, OwnProps[Name]>,
        ask: askFor(call),
      };
    },
  };
}

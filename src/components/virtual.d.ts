declare module 'virtual:astro-media-asset' {
  type Module = ReturnType<typeof import('../../dist/astro/runtime/ask.js').createAsk>;

  /** Changes with the options and with the assets' versions. */
  export const state: string;
  export interface HtmlId {
    /** The `id` of the HTML element. */
    htmlId?: string | undefined;
  }
  export const ask: Module['ask'];
  export const readProps: Module['readProps'];
  export const imageAttributes: typeof import('../../dist/assets/request/image-attributes.js').imageAttributes;
}

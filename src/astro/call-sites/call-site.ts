/** Where a file calls a component. */
export interface CallSite {
  /** From the project's folder, with `/`. An absolute path if the file is outside of it. */
  readonly file: string;
  /** Of the tag's `<`, counted from 1. */
  readonly line: number;
  /** Of the tag's `<` in UTF-16 code units, counted from 1. */
  readonly column: number;
}

/**
 * The prop that holds a component's call site. Its key is a symbol: no spread of attributes renders it,
 * and no check of names meets it.
 */
export const callSiteKey = 'astro-media-asset.call-site';

export function callSiteOf(props: object): CallSite | undefined {
  return Reflect.get(props, Symbol.for(callSiteKey));
}

/** `src/layouts/Base.astro:12:3` */
export function formatCallSite({ file, line, column }: CallSite): string {
  return `${file}:${line}:${column}`;
}

/**
 * The same request with a page that messages name together with the call site:
 * `/blog/quay/ (src/layouts/Base.astro:12:3)`.
 */
export function placed<Request extends { readonly page: string }>(
  request: Request,
  callSite: CallSite | undefined,
): Request {
  if (!callSite) return request;
  return { ...request, page: `${request.page} (${formatCallSite(callSite)})` };
}

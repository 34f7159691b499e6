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

/** The same request, its page named together with the call site. */
export function placed<Request extends { readonly page: string }>(
  request: Request,
  callSite: CallSite | undefined,
): Request {
  return { ...request, page: placeOf(request.page, callSite) };
}

/** A page as messages name it: `/blog/quay/ (src/layouts/Base.astro:12:3)`. */
export function placeOf(page: string, callSite: CallSite | undefined): string {
  if (!callSite) return page;
  const { file, line, column } = callSite;
  return `${page} (${file}:${line}:${column})`;
}

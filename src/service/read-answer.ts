import { deepestJson, isDeeper } from './json-depth.ts';

/** An answer of the service, read to its end. */
export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

/** What a body is, whatever its label says. */
export type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html' }
  | { readonly kind: 'text' }
  /** Labelled as JSON and begun as JSON, but not JSON. */
  | { readonly kind: 'broken-json' }
  /** JSON that is nested deeper than any answer. */
  | { readonly kind: 'deep-json' };

/**
 * Tells what came. A service may label empty answers and JSON as HTML (PHP does so by default), so
 * these two are known by their bytes; everything else that is labelled or begins as HTML is HTML.
 */
export function readAnswer({ contentType, text }: Answer): Content {
  const body = text.trim();
  if (body === '') return { kind: 'empty' };
  const labelledJson = /[/+]json\b/i.test(contentType ?? '');
  const begunAsJson = body.startsWith('{') || body.startsWith('[');
  if (begunAsJson && isDeeper(body, deepestJson)) return { kind: 'deep-json' };
  if (labelledJson || begunAsJson) {
    try {
      return { kind: 'json', value: JSON.parse(body) };
    } catch {
      if (labelledJson && begunAsJson) return { kind: 'broken-json' };
    }
  }
  if (isHtmlType(contentType) || /^<(?:!doctype|html|head|body)\b/i.test(body)) {
    return { kind: 'html' };
  }
  return { kind: 'text' };
}

export function isHtmlType(contentType: string | undefined): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
}

/** An answer of the service, read to its end. */
export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

export type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html' }
  | { readonly kind: 'text' }
  /** Labelled as JSON and begun as JSON, but not JSON. */
  | { readonly kind: 'broken-json' };

/**
 * Tells what came. A service may label empty answers and JSON as HTML (PHP does so by default), so
 * these two are known by their bytes; everything else that is labelled or begins as HTML is HTML.
 */
export function readAnswer({ contentType, text }: Answer): Content {
  const body = text.trim();
  if (body === '') return { kind: 'empty' };
  const labelledJson = isJsonType(contentType);
  const begunAsJson = body.startsWith('{') || body.startsWith('[');
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

export function isJsonType(contentType: string | undefined): boolean {
  return /[/+]json\b/i.test(contentType ?? '');
}

export function isHtmlType(contentType: string | undefined): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
}

/**
 * Reads a body as UTF-8 text, at most `maxBytes` of it. `complete` is false where there is more;
 * the rest is not fetched.
 */
export async function readText(
  response: Response,
  maxBytes: number,
): Promise<{ text: string; complete: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let received = 0;
  for await (const chunk of response.body ?? []) {
    const left = maxBytes - received;
    received += chunk.byteLength;
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    if (received > maxBytes) return { text, complete: false };
  }
  return { text: text + decoder.decode(), complete: true };
}

const failureWords = new Set(['error', 'failed', 'failure', 'fail']);

/**
 * Whether JSON states that the request failed, although its status says otherwise. The rule: the
 * value is `false`; or an object in which `success` or `ok` is false, `error` or `errors` holds
 * something, or `status` is `error`, `failed`, `failure` or `fail`; or an array with such an object.
 * The interface writes booleans as text (2.1), so the text `false` counts as false.
 */
export function statesFailure(value: unknown): boolean {
  if (value === false) return true;
  if (Array.isArray(value)) return value.some((entry) => entry === false || objectFails(entry));
  return objectFails(value);
}

function objectFails(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    isFalse(fields.success) ||
    isFalse(fields.ok) ||
    holdsSomething(fields.error) ||
    holdsSomething(fields.errors) ||
    (typeof fields.status === 'string' && failureWords.has(fields.status.toLowerCase()))
  );
}

function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
}

function holdsSomething(value: unknown): boolean {
  if (!value || isFalse(value)) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

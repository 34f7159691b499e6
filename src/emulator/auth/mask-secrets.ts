const secretNames = new Set([
  'client_secret',
  'password',
  'refresh_token',
  'access_token',
  'code',
  'signature',
]);

/** Bodies that name none of these hold no secret, and stay byte for byte as they came. */
const mentionsSecret = /client_secret|password|refresh_token|access_token|\bcode\b/i;

/** Headers as the log keeps them: what authorises is replaced by its kind. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const masked = { ...headers };
  for (const name of ['authorization', 'proxy-authorization'])
    if (masked[name] !== undefined) masked[name] = maskAuthorization(masked[name]);
  if (masked.cookie !== undefined) masked.cookie = '<cookie>';
  return masked;
}

/** `a=1&password=x` with the values of secrets replaced by their names: `password=<password>`. */
export function maskQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      return equals >= 0 && secretNames.has(name) ? `${pair.slice(0, equals)}=<${name}>` : pair;
    })
    .join('&');
}

/** A body as the log keeps it: the very bytes, unless they hold the value of a secret. */
export function maskBody(body: Uint8Array, contentType: string): Uint8Array {
  const text = new TextDecoder().decode(body);
  if (!mentionsSecret.test(decode(text))) return body;
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase();
  const masked = kind === 'application/json' ? maskJson(text) : maskQuery(text);
  return masked === text ? body : new TextEncoder().encode(masked);
}

function maskAuthorization(value: string): string {
  const scheme = value.match(/^(Bearer|Basic) /i)?.[1];
  if (scheme === undefined) return '<authorization>';
  return `${scheme} ${scheme.toLowerCase() === 'bearer' ? '<token>' : '<credentials>'}`;
}

function maskJson(text: string): string {
  let found = false;
  try {
    const masked = JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (!secretNames.has(name)) return value;
      found = true;
      return `<${name}>`;
    });
    return found ? masked : text;
  } catch {
    // What can't be read can't be masked in part.
    return '<unreadable>';
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Broken escapes: the text as it stands is the best reading.
    return text;
  }
}

export interface Redactor {
  /** From now on `secret` appears in no text, in any of the forms in which it may come back. */
  add(secret: string): void;
  redact(text: string): string;
  /** A copy of something thrown, and of its causes, that holds nothing but redacted texts. */
  redactError(thrown: unknown): Error;
}

const mask = '[secret]';

/** Secrets that are not ours by name but by their place: a token that a service echoes. */
const secretPlaces = [
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{16,}/gi,
  /(["']?\b(?:access_?token|refresh_?token|id_?token|client_?secret)["']?\s*[:=]\s*["']?)[^\s"'<>&,;}]+/gi,
  // In a sentence the word is followed by no secret: `password: it must have 12 characters`.
  /(["']password["']\s*:\s*["']|\bpassword=)[^\s"'<>&,;}]+/gi,
];

/** How many causes of causes a copy keeps; a circle of causes ends here. */
const causeDepth = 5;

export function createRedactor(secrets: readonly string[] = []): Redactor {
  const known = new Set<string>();
  let longestFirst: readonly (string | RegExp)[] = [];

  function add(secret: string): void {
    if (secret === '') return;
    for (const form of formsOf(secret)) known.add(form);
    longestFirst = [...known].sort((a, b) => b.length - a.length).map(placeOf);
  }

  function redact(text: string): string {
    let redacted = text;
    for (const secret of longestFirst) redacted = redacted.replaceAll(secret, mask);
    for (const place of secretPlaces) redacted = redacted.replace(place, `$1${mask}`);
    return redacted;
  }

  function redactError(thrown: unknown, depth = causeDepth): Error {
    if (!(thrown instanceof Error)) return new Error(redact(String(thrown)));
    const cause = causeOf(thrown);
    const copy = new Error(
      redact(thrown.message),
      cause === undefined || depth === 0 ? {} : { cause: redactError(cause, depth - 1) },
    );
    copy.name = redact(thrown.name);
    if (thrown.stack !== undefined) copy.stack = redact(thrown.stack);
    if ('code' in thrown && typeof thrown.code === 'string') {
      Object.assign(copy, { code: redact(thrown.code) });
    }
    return copy;
  }

  for (const secret of secrets) add(secret);
  return { add, redact, redactError: (thrown) => redactError(thrown) };
}

/** The error below: the cause, or the first of several that were tried. */
export function causeOf(error: Error): unknown {
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

/**
 * Where a secret is one. A short word can also be part of a longer one (`harbour` in `harbours`),
 * which says nothing of the secret: it is masked where no letter or digit is next to it, or only
 * the end of an escape (`%20`, `\n`).
 */
function placeOf(secret: string): string | RegExp {
  if (!/^\p{L}{1,15}$/u.test(secret)) return secret;
  return new RegExp(
    `(?:(?<![\\p{L}\\p{N}])|(?<=%[0-9a-fA-F]{2}|\\\\[bfnrt]|\\\\u[0-9a-fA-F]{4}))${secret}(?![\\p{L}\\p{N}])`,
    'gu',
  );
}

function formsOf(secret: string): string[] {
  const wellFormed = secret.toWellFormed();
  return [
    secret,
    encodeURIComponent(wellFormed),
    new URLSearchParams({ _: wellFormed }).toString().slice('_='.length),
    JSON.stringify(secret).slice(1, -1),
  ];
}

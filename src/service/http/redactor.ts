export interface Redactor {
  /** Masks `secret` from now on, also if it's escaped or URL-encoded. */
  add(secret: string): void;
  redact(text: string): string;
  /** A copy of an error and its causes with redacted texts. */
  redactError(thrown: unknown): Error;
}

const mask = '[secret]';

/** Places that hold a secret we don't know, such as a token that the service repeats. */
const secretPatterns = [
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{16,}/gi,
  /(["']?\b(?:access_?token|refresh_?token|id_?token|client_?secret)["']?\s*[:=]\s*["']?)[^\s"'<>&,;}]+/gi,
  // In a sentence, no secret follows the word: `password: it must have 12 characters`.
  /(["']password["']\s*:\s*["']|\bpassword=)[^\s"'<>&,;}]+/gi,
];

/** How many nested causes a copy keeps. Also ends circular ones. */
const causeDepth = 5;

export function createRedactor(secrets: readonly string[] = []): Redactor {
  const known = new Set<string>();
  let longestFirst: readonly (string | RegExp)[] = [];

  function add(secret: string): void {
    if (secret === '') return;
    for (const form of formsOf(secret)) known.add(form);
    longestFirst = [...known].sort((a, b) => b.length - a.length).map(patternOf);
  }

  function redact(text: string): string {
    let redacted = text;
    for (const secret of longestFirst) redacted = redacted.replaceAll(secret, mask);
    for (const place of secretPatterns) redacted = redacted.replace(place, `$1${mask}`);
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

/** The cause, or the first error of an AggregateError. */
export function causeOf(error: Error): unknown {
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

/**
 * Matches a secret in text. A secret of 1 to 15 letters is masked only as a whole word, because
 * longer words may contain it (`harbour` in `harbours`). Escapes (`%20`, `\n`) may precede it.
 */
function patternOf(secret: string): string | RegExp {
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

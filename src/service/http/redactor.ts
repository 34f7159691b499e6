export type Redactor = ReturnType<typeof createRedactor>;

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

export function createRedactor(secrets: readonly string[] = []) {
  const known = new Set<string>();
  let longestFirst: readonly RegExp[] = [];

  /** Masks `secret` from now on, also if it's escaped, URL-encoded or in base64. */
  function add(secret: string): void {
    if (secret === '') return;
    known.add(secret);
    longestFirst = [...known].sort((a, b) => b.length - a.length).map(patternOf);
  }

  function redact(text: string): string {
    let redacted = text;
    for (const secret of longestFirst) redacted = redacted.replaceAll(secret, mask);
    for (const place of secretPatterns) redacted = redacted.replace(place, `$1${mask}`);
    return redacted;
  }

  /** A copy of an error and its causes with redacted texts. */
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
  return { add, redact, redactError: (thrown: unknown) => redactError(thrown) };
}

/** The cause, or the first error of an AggregateError. */
export function causeOf(error: Error): unknown {
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

/**
 * Matches a secret in text, also with characters that HTML, JSON or a URL escapes, even twice. A secret
 * of 1 to 15 letters is masked only as a whole word, because longer words may contain it (`harbour` in
 * `harbours`). Escapes (`%20`, `\n`) may precede it.
 */
function patternOf(secret: string): RegExp {
  const plain = Array.from(secret, formsOfCharacter).join('');
  const before = String.raw`(?<![\p{L}\p{N}])|(?<=%[0-9a-fA-F]{2}|\\[bfnrt]|\\u[0-9a-fA-F]{4})`;
  const isWord = /^\p{L}{1,15}$/u.test(secret);
  const own = isWord ? `(?:${before})${plain}(?![\\p{L}\\p{N}])` : plain;
  return new RegExp([own, ...base64Forms(secret)].join('|'), 'gu');
}

const htmlNames: Readonly<Record<string, string>> = {
  ...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' },
};
const jsonNames: Readonly<Record<string, string>> = {
  ...{ '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' },
};

/** A pattern for a character in any form. No one escapes plain letters and digits. */
function formsOfCharacter(character: string): string {
  if (/[a-z\d]/i.test(character)) return character;
  const point = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  const bytes = Array.from(Buffer.from(character), (byte) => byte.toString(16).padStart(2, '0'));
  const html = htmlNames[character];
  const json = jsonNames[character];
  const entities = [
    `#0*${point}`,
    `#[xX]0*${inAnyCase(point.toString(16))}`,
    ...(html ? [html] : []),
  ];
  const forms = [
    // A quote, a slash and a backslash can follow backslashes.
    `${/["'/\\]/.test(character) ? '\\\\{0,4}' : ''}\\u{${point.toString(16)}}`,
    units.map((unit) => `\\\\{1,4}u${inAnyCase(unit)}`).join(''),
    bytes.map((byte) => `%(?:25)*${inAnyCase(byte)}`).join(''),
    `&(?:amp;)*(?:${entities.join('|')});`,
    ...(json ? [`\\\\{1,4}${json}`] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

function inAnyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** The shortest part that is surely about the secret. */
const minBase64 = 8;

/** A secret within a text in base64: at each of three positions, without what its neighbours change. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const own = bytes
      .toString('base64url')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    if (own.length < minBase64) return [];
    return own.replaceAll('-', '[-+]').replaceAll('_', '[_/]');
  });
}

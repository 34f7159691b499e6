import {
  isTokenAtKeyword,
  isTokenFunction,
  isTokenIdent,
  isTokenString,
  isTokenURL,
  TokenType,
  tokenize,
} from '@csstools/css-tokenizer';

/** Functions whose string arguments are URLs, also if another function such as `var()` returns them. */
const fetching = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set', 'cross-fade']);

/** Declarations whose strings can be URLs in others: `image-set(var(--a) 1x)`. */
const reused = /^(?:--.*|initial-value|result)$/is;

const opening = new Set([TokenType.OpenParen, TokenType.OpenSquare, TokenType.OpenCurly]);
const nameEnd = /^(?:colon|comma|semicolon|[{}])-token$/;
const closing = new Set([TokenType.CloseParen, TokenType.CloseSquare, TokenType.CloseCurly]);

/** Reads the URLs in CSS, and strings that can be one, as written, with escapes resolved. */
export function cssUrls(css: string) {
  const urls: string[] = [];
  /** Stylesheets from `@import`. */
  const imports: string[] = [];
  // Open functions and brackets, and whether an `@import` still needs its URL.
  const open: string[] = [];
  let importing = false;
  let name = '';
  // How many were open at the start of a reused declaration. -1 outside of one.
  let reusedAt = -1;
  const take = (url: string) => {
    (importing ? imports : urls).push(url);
    importing = false;
  };

  for (const token of tokenize({ css })) {
    const [type] = token;
    if (isTokenURL(token)) take(token[4].value);
    else if (isTokenFunction(token)) open.push(token[4].value.toLowerCase());
    else if (opening.has(type)) open.push('');
    else if (closing.has(type)) open.pop();
    else if (isTokenIdent(token)) name = name.startsWith('--') ? name : token[4].value;
    else if (isTokenString(token)) {
      if (importing || reusedAt >= 0 || open.some((one) => fetching.has(one))) take(token[4].value);
    } else if (isTokenAtKeyword(token)) importing = token[4].value.toLowerCase() === 'import';
    if (type === TokenType.Colon && reusedAt < 0 && reused.test(name)) reusedAt = open.length;
    // A parameter's type stands between its name and the colon.
    if (nameEnd.test(type)) name = '';
    const isEnd = type === TokenType.Semicolon;
    if (open.length < reusedAt || (isEnd && open.length === reusedAt)) reusedAt = -1;
    if (isEnd || type === TokenType.OpenCurly) importing = false;
  }
  return { urls, imports };
}

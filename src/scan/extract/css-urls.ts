import {
  isTokenAtKeyword,
  isTokenFunction,
  isTokenString,
  isTokenURL,
  TokenType,
  tokenize,
} from '@csstools/css-tokenizer';

/** Functions whose string arguments are URLs. */
const fetching = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set', 'cross-fade']);

const opening = new Set([TokenType.OpenParen, TokenType.OpenSquare, TokenType.OpenCurly]);
const closing = new Set([TokenType.CloseParen, TokenType.CloseSquare, TokenType.CloseCurly]);

/** Reads the URLs in CSS, as written, with escapes resolved. Skips comments and other strings. */
export function cssUrls(css: string) {
  const urls: string[] = [];
  /** Stylesheets from `@import`. */
  const imports: string[] = [];
  // Open functions and brackets, and whether an `@import` still needs its URL.
  const open: string[] = [];
  let importing = false;
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
    else if (isTokenString(token)) {
      if (importing || fetching.has(open.at(-1) ?? '')) take(token[4].value);
    } else if (isTokenAtKeyword(token)) importing = token[4].value.toLowerCase() === 'import';
    if (type === TokenType.Semicolon || type === TokenType.OpenCurly) importing = false;
  }
  return { urls, imports };
}

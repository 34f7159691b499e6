import {
  type CSSToken,
  isTokenAtKeyword,
  isTokenFunction,
  isTokenString,
  isTokenURL,
  TokenType,
  tokenize,
} from '@csstools/css-tokenizer';

/** Functions that fetch the URLs in their arguments. */
const fetching = new Set([
  'src',
  'image',
  'image-set',
  '-webkit-image-set',
  'cross-fade',
  '-webkit-cross-fade',
]);

const embedded =
  /^data:(image\/(png|jpe?g|gif|webp|avif)|font\/(woff2?|ttf|otf|sfnt)|application\/(x-)?font-[a-z0-9-]+)[;,]/i;

/**
 * Removes everything from CSS that fetches something. `@import` and URLs become names that browsers
 * skip, except for references within the same file, and embedded raster images and fonts. Harmless CSS
 * stays unchanged.
 */
export function cleanCss(css: string): string {
  const tokens = tokenize({ css });
  return tokens.map((_, at) => cleanToken(tokens, at)).join('');
}

/** Whether a URL refers only to the file that contains it. */
export function isOwnUrl(address: string): boolean {
  const trimmed = address.trim();
  return trimmed.startsWith('#') || embedded.test(trimmed);
}

function cleanToken(tokens: readonly CSSToken[], at: number): string {
  const token = tokens[at];
  if (!token) return '';
  const [type, written] = token;
  if (isTokenAtKeyword(token)) {
    return token[4].value.toLowerCase() === 'import' ? '@removed' : written;
  }
  if (isTokenURL(token)) return isOwnUrl(token[4].value) ? written : 'removed';
  if (type === TokenType.BadURL || type === TokenType.BadString) return 'removed';
  if (!isTokenFunction(token)) return written;
  const name = token[4].value.toLowerCase();
  if (fetching.has(name)) return 'removed(';
  return name !== 'url' || containsOwnUrl(tokens, at + 1) ? written : 'removed(';
}

/** Whether the parentheses contain a single URL that refers to the same file. */
function containsOwnUrl(tokens: readonly CSSToken[], start: number): boolean {
  const first = skipBlanks(tokens, start);
  const address = tokens[first];
  const end = tokens[skipBlanks(tokens, first + 1)]?.[0];
  if (end !== undefined && end !== TokenType.CloseParen && end !== TokenType.EOF) return false;
  return address !== undefined && isTokenString(address) && isOwnUrl(address[4].value);
}

function skipBlanks(tokens: readonly CSSToken[], start: number): number {
  let at = start;
  while (tokens[at]?.[0] === TokenType.Whitespace || tokens[at]?.[0] === TokenType.Comment) at += 1;
  return at;
}

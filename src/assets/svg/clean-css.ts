import {
  type CSSToken,
  isTokenAtKeyword,
  isTokenFunction,
  isTokenString,
  isTokenURL,
  TokenType,
  tokenize,
} from '@csstools/css-tokenizer';

/** Functions that fetch what their texts name. */
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
 * A CSS text that fetches nothing: `@import` and addresses, other than those of parts of the same
 * file and of raster pictures and fonts within the text, become names that browsers do not know, and
 * so pass over. A text without any comes back as it is.
 */
export function cleanCss(css: string): string {
  const tokens = tokenize({ css });
  return tokens.map((_, at) => cleanToken(tokens, at)).join('');
}

/** Whether an address leads nowhere out of the file that it stands in. */
export function isWithin(address: string): boolean {
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
  if (isTokenURL(token)) return isWithin(token[4].value) ? written : 'removed';
  if (type === TokenType.BadURL || type === TokenType.BadString) return 'removed';
  if (!isTokenFunction(token)) return written;
  const name = token[4].value.toLowerCase();
  if (fetching.has(name)) return 'removed(';
  return name !== 'url' || holdsOwnAddress(tokens, at + 1) ? written : 'removed(';
}

/** Whether what is in the brackets is one address alone, and within the file. */
function holdsOwnAddress(tokens: readonly CSSToken[], start: number): boolean {
  const first = afterBlanks(tokens, start);
  const address = tokens[first];
  const end = tokens[afterBlanks(tokens, first + 1)]?.[0];
  if (end !== undefined && end !== TokenType.CloseParen && end !== TokenType.EOF) return false;
  return address !== undefined && isTokenString(address) && isWithin(address[4].value);
}

function afterBlanks(tokens: readonly CSSToken[], start: number): number {
  let at = start;
  while (tokens[at]?.[0] === TokenType.Whitespace || tokens[at]?.[0] === TokenType.Comment) at += 1;
  return at;
}

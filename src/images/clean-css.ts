import {
  type CSSToken,
  isTokenAtKeyword,
  isTokenFunction,
  isTokenString,
  isTokenURL,
  stringify,
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
  const cleaned = tokens.map((token, at) => cleanToken(token, tokens.slice(at + 1, at + 4)));
  return stringify(...cleaned);
}

/** Whether an address leads nowhere out of the file that it stands in. */
export function isWithin(address: string): boolean {
  const trimmed = address.trim();
  return trimmed.startsWith('#') || embedded.test(trimmed);
}

function cleanToken(token: CSSToken, next: readonly CSSToken[]): CSSToken {
  const none = (written: string): CSSToken => [
    TokenType.Ident,
    written,
    token[2],
    token[3],
    { value: written },
  ];
  if (isTokenAtKeyword(token)) {
    return token[4].value.toLowerCase() === 'import' ? none('@removed') : token;
  }
  if (isTokenURL(token)) return isWithin(token[4].value) ? token : none('removed');
  if (token[0] === TokenType.BadURL || token[0] === TokenType.BadString) return none('removed');
  if (!isTokenFunction(token)) return token;
  const name = token[4].value.toLowerCase();
  if (fetching.has(name)) return none('removed(');
  if (name !== 'url') return token;
  const address = next.find(
    ({ 0: type }) => type !== TokenType.Whitespace && type !== TokenType.Comment,
  );
  return address && isTokenString(address) && isWithin(address[4].value) ? token : none('removed(');
}

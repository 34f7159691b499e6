const blank = /[\t\n\f\r ]/;
/** A candidate as almost all are written: one URL, one width or density, one comma or the end. */
const usual =
  /[\t\n\f\r ]*([^\t\n\f\r ,](?:[^\t\n\f\r ]*[^\t\n\f\r ,])?)[\t\n\f\r ]+(?:0*[1-9]\d*w|(?:\d*\.)?\d+x)(?:,|$)/y;

/**
 * The URLs of the image candidates in a `srcset`, read as the HTML standard does: a URL ends at
 * white space, or at its own trailing commas; a candidate with descriptors that a browser refuses
 * is none.
 */
export function srcsetUrls(srcset: string): string[] {
  const urls: string[] = [];
  usual.lastIndex = 0;
  let end = 0;
  for (let match = usual.exec(srcset); match?.[1]; match = usual.exec(srcset)) {
    urls.push(match[1]);
    end = usual.lastIndex;
  }
  let rest = srcset.slice(end);
  for (;;) {
    rest = rest.replace(/^[\t\n\f\r ,]+/, '');
    if (rest === '') return urls;
    const end = rest.search(blank);
    const word = end === -1 ? rest : rest.slice(0, end);
    rest = rest.slice(word.length);
    if (word.endsWith(',')) {
      urls.push(word.replace(/,+$/, ''));
      continue;
    }
    const text = descriptorText(rest);
    rest = rest.slice(text.length + 1);
    if (isAccepted(text.split(/[\t\n\f\r ]+/).filter((token) => token !== ''))) urls.push(word);
  }
}

/** What stands before the next comma that is not in parentheses. */
function descriptorText(text: string): string {
  let open = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '(') open = true;
    else if (character === ')') open = false;
    else if (character === ',' && !open) return text.slice(0, index);
  }
  return text;
}

function isAccepted(descriptors: readonly string[]): boolean {
  const kinds = descriptors.map(kindOf).sort().join('');
  return ['', 'w', 'x', 'hw'].includes(kinds);
}

/** `w`, `h` or `x`; anything else makes the candidate invalid. */
function kindOf(descriptor: string): string {
  const kind = descriptor.at(-1) ?? '';
  const value = descriptor.slice(0, -1);
  if (kind === 'w' || kind === 'h') return /^0*[1-9]\d*$/.test(value) ? kind : '?';
  if (kind === 'x') return /^(?:\d*\.)?\d+(?:[eE][+-]?\d+)?$/.test(value) ? kind : '?';
  return '?';
}

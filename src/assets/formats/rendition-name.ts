import { isDeviceName } from '../../storage/is-device-name.ts';

const longestName = 60;

/** Letters that have no plain one inside them. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/**
 * The readable name of an asset's renditions: its `alt` in plain lower-case letters, digits and
 * hyphens, at most 60 of them, cut between words where that is possible; else its id, also in the
 * place of a name that no file can have on Windows.
 */
export function renditionName(alt: string, id: number): string {
  const plain = alt
    .slice(0, 10 * longestName)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\0-\x7f]/g, (letter) => spelledOut[letter] ?? ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const name = shortened(plain);
  return name === '' || isDeviceName(name) ? String(id) : name;
}

function shortened(name: string): string {
  if (name.length <= longestName) return name;
  const cut = name.slice(0, longestName + 1);
  const lastWord = cut.lastIndexOf('-');
  return cut.slice(0, lastWord > 0 ? lastWord : longestName);
}

const longestTitle = 120;

/**
 * The name of a file of the service as people may see it: without folders, ending, control and
 * direction characters. `undefined` where nothing is left.
 */
export function fileTitle(filename: string | undefined): string | undefined {
  const last = plainText(filename ?? '')
    .split(/[/\\]/)
    .at(-1);
  return trimmed(last?.replace(/(?<=[^.])\.[^.\s]{1,10}$/, '') ?? '') || undefined;
}

/** The name that a browser keeps a download under; an ending that the title has is not doubled. */
export function downloadFileName(title: string, extension: string): string {
  const ending = `.${extension}`;
  const plain = plainText(title).replace(/[/\\:*?"<>|]/g, '-');
  const stem = plain.toLowerCase().endsWith(ending) ? plain.slice(0, -ending.length) : plain;
  return `${trimmed(stem) || 'file'}${ending}`;
}

function plainText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
}

/** Without dots and blanks at its ends, cut to 120 characters. */
function trimmed(text: string): string {
  const inner = text.replace(/^[.\s]+|[.\s]+$/g, '');
  return Array.from(inner).slice(0, longestTitle).join('').trimEnd();
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/**
 * A number of bytes as people of a language read it, in units of 1000: `2.4 MB`, `2,4 Mo`.
 *
 * @param locale a language tag that `Intl` takes
 */
export function sizeText(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    // In short, English has no plural of a byte.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: unit === 0 || value >= 99.95 ? 0 : 1,
  }).format(value);
}

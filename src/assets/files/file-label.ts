const longestTitle = 120;

/** How people read an asset's name, wherever one is named: as its record has it, or its file's title. */
export function assetName(asset: { name?: unknown; filename?: string | undefined }) {
  return (typeof asset.name === 'string' && asset.name.trim()) || fileTitle(asset.filename);
}

/** A file's name without folders, extension and control characters. `undefined` if it's empty. */
export function fileTitle(filename: string | undefined): string | undefined {
  const last = plainText(filename ?? '')
    .split(/[/\\]/)
    .at(-1);
  return trimmed(last?.replace(/(?<=[^.])\.[^.\s]{1,10}$/, '') ?? '') || undefined;
}

/** The name that browsers save a download under. The extension isn't repeated. */
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

/** Without dots and spaces at either end, at most 120 characters. */
function trimmed(text: string): string {
  const inner = text.replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
  return Array.from(inner).slice(0, longestTitle).join('').trimEnd();
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes in units of 1000: `2.4 MB`, or `2,4 Mo` in French. */
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
    // The short English form of a byte has no plural.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: unit === 0 || value >= 99.95 ? 0 : 1,
  }).format(value);
}

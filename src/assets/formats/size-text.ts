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

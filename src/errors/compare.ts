/** Compares by code units, which gives the same order on every machine. */
export function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

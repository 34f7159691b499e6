/** In ms. */
export const oneDay = 24 * 60 * 60 * 1000;

/** The day of a time in UTC: `2026-12-31`. Such texts sort like days. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

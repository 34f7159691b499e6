/** The times of a lease, in ms, from how long it holds without being renewed. */
export function leaseTimes(expiry: number): {
  readonly expiry: number;
  /** Between two renewals. */
  readonly beat: number;
  /** How long a lease is watched before it counts as one that nobody renews. */
  readonly watch: number;
} {
  return { expiry, beat: expiry / 4, watch: (expiry * 3) / 5 };
}

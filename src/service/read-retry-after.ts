/**
 * The wait that a `Retry-After` header asks for, in milliseconds from `now`; undefined where it
 * holds neither of its forms (RFC 9110, 10.2.3: seconds, or an HTTP date). `now` is in
 * milliseconds since the epoch.
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(value)) return undefined;
  // The oldest of the three date forms (asctime) means GMT without saying so.
  const date = Date.parse(/ GMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

import { ServiceError } from '../service/service-error.ts';

/**
 * The status with which the service refuses one usage, asset or folder for good; `undefined` for any
 * other failure. 403 is such a status: credentials may see one asset and not the next. What it says
 * where nothing else was accepted is for the caller to judge.
 */
export function refusedWith(
  error: unknown,
  {
    missing = [],
  }: {
    /** Further statuses that say there is no such call. */
    missing?: readonly number[];
  } = {},
): number | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { code, status } = error;
  if (code === 'request-refused' || code === 'request-forbidden') return status ?? 0;
  return status !== undefined && missing.includes(status) ? status : undefined;
}

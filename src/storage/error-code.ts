/** The system's code of an error, such as `EACCES`; `undefined` where it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

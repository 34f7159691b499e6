import { MediaAssetError } from '../errors.ts';

/** The same error, its message naming the page that it happened for. */
export function atPage(thrown: unknown, page: string): unknown {
  if (!(thrown instanceof MediaAssetError)) return thrown;
  const { code, message, hint } = thrown;
  if (message.startsWith(`${page}: `)) return thrown;
  return new MediaAssetError(code, { message: `${page}: ${message}`, hint }, { cause: thrown });
}

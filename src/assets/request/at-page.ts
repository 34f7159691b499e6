import { MediaAssetError } from '../../errors/errors.ts';

/** The same error, its message naming the page and the asset that it happened for. */
export function atPage(
  thrown: unknown,
  { page, id }: { readonly page: string; readonly id: number },
): unknown {
  if (!(thrown instanceof MediaAssetError)) return thrown;
  const { code, message, hint } = thrown;
  if (message.startsWith(`${page}: `)) return thrown;
  const asset = new RegExp(`\\basset ${id}\\b`).test(message) ? '' : `asset ${id}: `;
  const text = { message: `${page}: ${asset}${message}`, hint };
  return new MediaAssetError(code, text, { cause: thrown });
}

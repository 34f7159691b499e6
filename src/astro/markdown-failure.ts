import type { MediaAssetError } from '../errors.ts';
import { MediaAssetError as CatalogueError, codes } from '../errors.ts';

/** The attribute that marks a picture of Markdown that could not be made. */
export const failureMarker = 'data-media-asset-failed';

const marker = new RegExp(`${failureMarker}="([\\w-]+)"`, 'g');

/**
 * The value of the marker. Astro logs and forgets what is thrown while it renders an entry of a
 * content collection, and keeps the entry without its text. So a failure travels in the HTML, and
 * ends the build that publishes it.
 */
export function formatFailure({ code, message, hint }: MediaAssetError): string {
  return Buffer.from(JSON.stringify({ code, message, hint })).toString('base64url');
}

/** The failures that a built file holds. */
export function findFailures(html: string): MediaAssetError[] {
  // A pattern takes several times as long to find nothing.
  if (!html.includes(failureMarker)) return [];
  return Array.from(html.matchAll(marker), ([, value = '']) => readFailure(value)).filter(
    (failure) => failure !== undefined,
  );
}

/** The failure behind a marker's value; `undefined` for a value of somebody else. */
function readFailure(value: string): MediaAssetError | undefined {
  try {
    const { code, message, hint } = JSON.parse(Buffer.from(value, 'base64url').toString());
    const known = codes().find((entry) => entry.code === code)?.code;
    return known && new CatalogueError(known, { message: String(message), hint: String(hint) });
  } catch {
    return undefined;
  }
}

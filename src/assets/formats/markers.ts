import { type Finding, isCode, type MediaAssetError, toFinding } from '../../errors/errors.ts';

/**
 * What an element tells the build that publishes its page, with an attribute `data-media-asset-<kind>`.
 * It names no build, because Astro's page cache restores pages of earlier ones.
 */
export const markerKinds = ['unavailable', 'failed', 'credits'] as const;

/** Found in every text with a marker, and in others. */
export const mayHaveMarker = new RegExp(`data-media-asset-(?:${markerKinds.join('|')})`, 'i');

/**
 * The marker of a failure. Astro only logs an error in an entry of a content collection, and keeps the
 * entry without its text. So the HTML carries the failure, and the build that publishes it fails.
 */
export function markFailure(error: MediaAssetError | undefined): Readonly<Record<string, string>> {
  const json = error && JSON.stringify(toFinding('error', error));
  return json ? { 'data-media-asset-failed': Buffer.from(json).toString('base64url') } : {};
}

/** The failure in a marker's value, if it has one of our codes. */
export function readFailure(value: string): Finding[] {
  try {
    const failure: Finding | null = JSON.parse(Buffer.from(value, 'base64url').toString());
    return failure && isCode(failure.code) ? [failure] : [];
  } catch {
    return [];
  }
}

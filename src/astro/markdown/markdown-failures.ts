import { type Finding, isCode, type MediaAssetError, toFinding } from '../../errors/errors.ts';
import type { Attributes } from './image-element.ts';

const failureMarker = 'data-media-asset-failed';

const marker = new RegExp(`${failureMarker}="([\\w-]+)"`, 'g');

/**
 * The marker of a failure. Astro only logs an error in an entry of a content collection, and keeps the
 * entry without its text. So the HTML carries the failure, and the build that publishes it fails.
 */
export function markFailure(error: MediaAssetError | undefined): Attributes {
  if (!error) return {};
  const json = JSON.stringify(toFinding('error', error));
  return { [failureMarker]: Buffer.from(json).toString('base64url') };
}

/** The failures in a built file. A marker without one of our codes is text of the site. */
export function findFailures(html: string): Finding[] {
  // Most files have none, and a pattern takes several times as long to find that out.
  if (!html.includes(failureMarker)) return [];
  return Array.from(html.matchAll(marker), ([, value = '']) => readFailure(value)).flat();
}

function readFailure(value: string): Finding[] {
  try {
    const failure: Finding | null = JSON.parse(Buffer.from(value, 'base64url').toString());
    return failure && isCode(failure.code) ? [failure] : [];
  } catch {
    return [];
  }
}

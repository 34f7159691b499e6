import { z } from 'zod';
import { isAssetId } from '../../errors/asset-id.ts';
import {
  type Code,
  type Finding,
  isCode,
  type MediaAssetError,
  toFinding,
} from '../../errors/errors.ts';
import type { Attributes } from './image-element.ts';

const failureMarker = 'data-media-asset-failed';

const marker = new RegExp(`${failureMarker}="([\\w-]+)"`, 'g');

const counted = z.int().positive().optional();

/** The code alone makes a failure: a part that can't be read must not let the build pass. */
const schema = z.object({
  code: z.custom<Code>(isCode),
  message: z.string().catch('An image or a link in Markdown failed.'),
  hint: z.string().catch(''),
  page: z.string().optional().catch(undefined),
  place: z.object({ file: z.string(), line: counted, column: counted }).optional().catch(undefined),
  asset: z.int().refine(isAssetId).optional().catch(undefined),
});

/**
 * The marker of a failure. Astro only logs an error in an entry of a content collection, and keeps the
 * entry without its text. So the HTML carries the failure, and the build that publishes it fails.
 */
export function markFailure(error: MediaAssetError | undefined): Attributes {
  if (!error) return {};
  const json = JSON.stringify(toFinding('error', error));
  return { [failureMarker]: Buffer.from(json).toString('base64url') };
}

/** The failures in a built file. A marker without one of our codes is none. */
export function findFailures(html: string): Finding[] {
  // Most files have none, and a pattern takes several times as long to find that out.
  if (!html.includes(failureMarker)) return [];
  return Array.from(html.matchAll(marker), ([, value = '']) => readFailure(value)).filter(
    (failure) => failure !== undefined,
  );
}

function readFailure(value: string): Finding | undefined {
  try {
    const { data } = schema.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString()));
    return data && toFinding('error', data);
  } catch {
    return undefined;
  }
}

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

/** The attribute that marks a failed image or link in Markdown. */
const failureMarker = 'data-media-asset-failed';

const marker = new RegExp(`${failureMarker}="([\\w-]+)"`, 'g');

const schema = z.strictObject({
  code: z.custom<Code>(isCode),
  severity: z.literal('error'),
  message: z.string(),
  hint: z.string(),
  place: z.strictObject({ file: z.string(), line: z.int().positive().optional() }).optional(),
  asset: z.int().refine(isAssetId).optional(),
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

/** The failures in a built file. A marker that we didn't write is none. */
export function findFailures(html: string): Finding[] {
  // Most files have none, and a pattern takes several times as long to find that out.
  if (!html.includes(failureMarker)) return [];
  return Array.from(html.matchAll(marker), ([, value = '']) => readFailure(value)).filter(
    (failure) => failure !== undefined,
  );
}

function readFailure(value: string): Finding | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

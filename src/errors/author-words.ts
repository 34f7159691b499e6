import { type Finding, hintAlone, isMediaAssetError } from './errors.ts';

const outages: Partial<Record<Finding['code'], string>> = {
  'service-unreachable': "can't be reached",
  'service-failed': 'has a problem',
  'service-limited': 'is busy',
};

/** An outage in the words of someone who writes pages, with the technical ones in its hint. */
export function inAuthorsWords<Found extends Pick<Finding, 'code' | 'message' | 'hint'>>(
  found: Found,
): Found {
  const { code, message, hint } = found;
  const outage = outages[code];
  if (!outage) return found;
  return {
    ...found,
    message: `The media service ${outage}. Your work is kept.`,
    hint: `Try again in a moment. If that doesn't help: ${message} ${hint}`,
  };
}

/** An error as people read it in a browser. */
export function noticeOf(thrown: unknown): { code: string; message: string; hint?: string } {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!isMediaAssetError(thrown)) return { code: 'toolbar-failed', message };
  return inAuthorsWords({ code: thrown.code, message, hint: hintAlone(thrown) });
}

import { type Finding, hintAlone, isMediaAssetError } from './errors.ts';

const outages: Partial<Record<Finding['code'], string>> = {
  'service-unreachable': "can't be reached",
  'service-failed': 'has a problem',
  'service-limited': 'is busy',
};

const isRefused = "doesn't have this, or doesn't show it to you";
const isOdd = "answers in a way that this site can't read";

/** What people meet in a browser, and only those who run the website can correct. */
const problems: Partial<Record<Finding['code'], string>> = {
  ...{ 'request-refused': isRefused, 'request-forbidden': isRefused },
  ...{ 'answer-html': isOdd, 'answer-unexpected': isOdd, 'redirect-refused': isOdd },
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
  const { code } = thrown;
  const hint = hintAlone(thrown);
  const problem = problems[code];
  if (!problem) return inAuthorsWords({ code, message, hint });
  const technical = `For the people who run this website: ${message} ${hint}`;
  return { code, message: `The media service ${problem}.`, hint: technical };
}

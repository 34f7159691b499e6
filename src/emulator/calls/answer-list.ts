import type { CallContext } from '../emulator-state.ts';
import type { EmulatorSettings } from '../settings.ts';
import { badRequest } from './http-error.ts';
import { onlyValue } from './parse-fields.ts';

interface Part {
  readonly start: number;
  readonly length: number;
}

/**
 * @param record is only called for items on the page
 * @throws HttpError 400 for an invalid page
 */
export function answerList<T>(
  c: CallContext,
  {
    name,
    items,
    record,
    settings: { paging, pageSize, fileListAnswer },
  }: {
    /** Name of the list's field in an object. */
    name: 'files' | 'usages';
    items: readonly T[];
    record: (item: T) => Record<string, unknown>;
    settings: Pick<EmulatorSettings, 'paging' | 'pageSize' | 'fileListAnswer'>;
  },
): Response {
  const url = new URL(c.req.url);
  const part = partOf(url.searchParams, { paging, pageSize, total: items.length });
  const records = items.slice(part.start, part.start + part.length).map(record);
  const next = nextLink(url, { part, total: items.length, paging });
  if (fileListAnswer === 'bare')
    return c.json(records, 200, next === undefined ? {} : { Link: `<${next}>; rel="next"` });
  return c.json({ [name]: records, ...facts({ part, total: items.length, paging, next }) });
}

function partOf(
  query: URLSearchParams,
  { paging, pageSize, total }: { paging: string; pageSize: number; total: number },
): Part {
  if (paging === 'none') return { start: 0, length: total };
  const length = Math.min(wholeNumber(query, 'limit', { least: 1, fallback: pageSize }), pageSize);
  const start =
    paging === 'page'
      ? (wholeNumber(query, 'page', { least: 1, fallback: 1 }) - 1) * length
      : wholeNumber(query, 'offset', { least: 0, fallback: 0 });
  return { start, length };
}

function facts({
  part: { start, length },
  total,
  paging,
  next,
}: {
  part: Part;
  total: number;
  paging: EmulatorSettings['paging'];
  next: string | undefined;
}): Record<string, unknown> {
  switch (paging) {
    case 'none':
      return { total };
    case 'page':
      return { page: start / length + 1, pageSize: length, total };
    case 'offset':
      return { offset: start, limit: length, total };
    case 'next':
      return { total, next: next ?? null };
  }
}

function nextLink(
  url: URL,
  { part, total, paging }: { part: Part; total: number; paging: EmulatorSettings['paging'] },
): string | undefined {
  const offset = part.start + part.length;
  if (paging !== 'next' || offset >= total) return undefined;
  const next = new URL(url);
  next.searchParams.set('offset', String(offset));
  return next.href;
}

function wholeNumber(
  query: URLSearchParams,
  name: string,
  { least, fallback }: { least: number; fallback: number },
): number {
  const text = onlyValue(query, name);
  if (text === undefined) return fallback;
  if (/^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= least) return Number(text);
  throw badRequest(
    'page-invalid',
    `${name} must be a whole number from ${least}; received ${text.slice(0, 80) || 'nothing'}.`,
  );
}

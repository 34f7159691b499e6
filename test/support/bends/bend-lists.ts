import { authenticate } from '../../../src/emulator/auth/authenticate.ts';
import { onlyValue } from '../../../src/emulator/calls/file-record.ts';
import { badRequest, HttpError } from '../../../src/emulator/calls/http-error.ts';
import type { CallContext } from '../../../src/emulator/emulator-state.ts';
import type { BendParts } from './bend-answers.ts';
import type { BendSettings } from './bend-settings.ts';
import { changeJson, changeRequest } from './send-answer.ts';

/** Forms and pages of file lists, and of an asset's usages. */
export function bendLists({ app, state, settings }: BendParts): void {
  for (const path of ['/1/folder/:id/files', '/1/search/file'])
    app.use(path, async (c, next) => {
      await next();
      const { fileListAnswer, paging, pageSize, listedFields, processes } = settings();
      if (processes === 'none' && c.req.query('processed')) await changeJson(c, () => []);
      if (listedFields !== '')
        await changeJson(c, (records) =>
          (records as object[]).map((record) => pickFields(record, listedFields.split(','))),
        );
      await answerList(c, { name: 'files', isBare: fileListAnswer === 'bare', paging, pageSize });
    });

  for (const path of ['/1/folder/:id/files', '/1/search/file', '/1/file/:id'])
    app.on('GET', path, async (c, next) => {
      await next();
      const names = settings().jsonFields.split(',');
      const parse = ([name, value]: [string, unknown]) =>
        names.includes(name) && value ? [name, JSON.parse(String(value))] : [name, value];
      const parsed = (record: object) => Object.fromEntries(Object.entries(record).map(parse));
      if (names[0])
        await changeJson(c, (answer) =>
          Array.isArray(answer) ? answer.map(parsed) : parsed(answer as object),
        );
    });

  for (const path of ['/1/folder/:id/files', '/1/search/file', '/1/file/:id'])
    app.on('GET', path, async (c, next) => {
      const asked = c.req.query('fields')?.split(',');
      if (settings().fieldNames !== 'lower case' || !asked) return next();
      const url = new URL(c.req.url);
      url.searchParams.set('fields', 'all');
      changeRequest(c, { url });
      await next();
      const isAsked = ([name]: [string, unknown]) => asked.includes(name.toLowerCase());
      const pick = (record: object) => Object.fromEntries(Object.entries(record).filter(isAsked));
      await changeJson(c, (answer) =>
        Array.isArray(answer) ? answer.map(pick) : pick(answer as object),
      );
    });

  // A library's fields have no languages. `alttext_sv_SE` is the `alttext` of the locale sv_SE.
  app.on('GET', '/1/file/:id', async (c, next) => {
    const { fields = '', locale } = c.req.query();
    if (!locale) return next();
    const url = new URL(c.req.url);
    url.searchParams.set('fields', 'all');
    changeRequest(c, { url });
    await next();
    await changeJson(c, (answer) => {
      const all = answer as Record<string, unknown>;
      const texts = fields.split(',').map((name) => [name, all[`${name}_${locale}`] ?? all[name]]);
      return Object.fromEntries(texts);
    });
  });

  app.use('/1/file/:id/usage', async (c, next) => {
    const { usageList, usageRecord, pageSize } = settings();
    if (usageList === 'missing') {
      authenticate(c, state);
      throw new HttpError(404, 'call-unknown', 'There is no such call.');
    }
    await next();
    if (usageRecord === 'posted')
      await changeJson(c, (usages) => (usages as ListedUsage[]).map(postedUsage));
    const paging = usageList === 'paged' ? 'next' : 'none';
    await answerList(c, { name: 'usages', isBare: usageList === 'bare', paging, pageSize });
  });
}

/** With the case of the answer. */
function pickFields(record: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

interface List {
  /** Name of the list's field in an object. */
  readonly name: 'files' | 'usages';
  readonly isBare: boolean;
  readonly paging: BendSettings['paging'];
  readonly pageSize: number;
}

interface Part {
  readonly start: number;
  readonly length: number;
  readonly total: number;
}

/** @throws HttpError 400 for an invalid page */
async function answerList(c: CallContext, { name, isBare, paging, pageSize }: List): Promise<void> {
  if (isBare && paging === 'none') return;
  await changeJson(c, (value, headers) => {
    const items = value as unknown[];
    const url = new URL(c.req.url);
    const part = partOf(c, { paging, pageSize, total: items.length });
    const shown = items.slice(part.start, part.start + part.length);
    const next = paging === 'next' ? nextLink(url, part) : undefined;
    if (isBare && next !== undefined) headers.set('Link', `<${next}>; rel="next"`);
    return isBare ? shown : { [name]: shown, ...facts(part, paging, next) };
  });
}

function partOf(
  c: CallContext,
  { paging, pageSize, total }: { paging: string; pageSize: number; total: number },
): Part {
  if (paging === 'none') return { start: 0, length: total, total };
  const start =
    paging === 'page' ? (wholeNumber(c, 'page', 1) - 1) * pageSize : wholeNumber(c, 'offset', 0);
  return { start, length: pageSize, total };
}

function facts(
  { start, length, total }: Part,
  paging: BendSettings['paging'],
  next: string | undefined,
): Record<string, unknown> {
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

function nextLink(url: URL, { start, length, total }: Part): string | undefined {
  if (start + length >= total) return undefined;
  const next = new URL(url);
  next.searchParams.set('offset', String(start + length));
  return next.href;
}

function wholeNumber(c: CallContext, name: string, least: number): number {
  const text = onlyValue(c, name) ?? String(least);
  if (/^(0|[1-9]\d{0,8})$/.test(text) && Number(text) >= least) return Number(text);
  throw badRequest(
    'page-invalid',
    `${name} must be a whole number from ${least}; received ${text.slice(0, 80) || 'nothing'}.`,
  );
}

type ListedUsage = Readonly<
  Record<
    'contact' | 'publishDate' | 'amount' | 'description' | 'project' | 'type' | 'url' | 'pageName',
    string
  >
>;

/** With the fields of section 2.1. */
function postedUsage({ publishDate, type, url, pageName, ...usage }: ListedUsage) {
  const { contact, amount, description, project } = usage;
  return {
    ...{ contact, date: publishDate, amount, description, project },
    types: [type.toLowerCase()],
    removed: 'false',
    web: { page: url, pageName },
  };
}

import { z } from 'zod';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { show } from '../../errors/wording.ts';
import type { RecordCredit } from '../formats/credit.ts';
import { readSourceType, sourceTypes } from '../formats/source-types.ts';
import type { Focus } from '../geometry/crop.ts';
import type { MediaCredit } from '../request/media-asset.ts';
import { readFocus } from '../request/parse-crop.ts';
import { propReaders, type Readers } from '../request/prop-readers.ts';

/** An asset's fields as the service answers them, by name. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** The site's function, whose result is checked. `locale` is the language of the page. */
export type ReadRecord = (
  fields: RecordFields,
  context: { readonly locale: string | undefined },
) => unknown;

/** What a site says about an asset, read from its record. */
export interface AssetRecord extends Omit<MediaCredit, 'sourceLabel'> {
  readonly alt: string | undefined;
  readonly focus: Focus | undefined;
  readonly rights: Rights;
  /** The last day on which the asset may be shown, in UTC: `2026-12-31`. */
  readonly until: string | undefined;
}

const allRights = ['allowed', 'forbidden', 'unknown'] as const;
type Rights = (typeof allRights)[number];

export const emptyRecord: AssetRecord = {
  alt: undefined,
  credit: undefined,
  creators: [],
  copyright: undefined,
  license: undefined,
  acquireLicense: undefined,
  digitalSourceType: undefined,
  focus: undefined,
  rights: 'unknown',
  until: undefined,
};

const keys: readonly string[] = [
  ...Object.keys(emptyRecord).filter((key) => key !== 'creators' && key !== 'digitalSourceType'),
  ...['creator', 'source'],
];

const mostCreators = 20;

/** Reads a record with the site's function, and checks the result. */
export function readAssetRecord(
  readRecord: ReadRecord,
  { id, fields, locale }: { id: number; fields: RecordFields; locale: string | undefined },
): AssetRecord {
  const invalid = (problem: string, cause?: unknown) =>
    mediaAssetError('record-invalid', { id, problem }, { cause });
  const { wrong, ...read } = propReaders({
    id,
    toError: ({ name, value, expected }) =>
      invalid(`\`${name}\` is ${show(value)}, expected ${expected}`),
  });

  /** The values of all known keys. A class can have them as getters. */
  function result(): Record<string, unknown> {
    try {
      const value = readRecord(fields, { locale });
      const isPromise = typeof Reflect.get(Object(value), 'then') === 'function';
      if (typeof value !== 'object' || value === null || Array.isArray(value) || isPromise) {
        const received = isPromise ? 'a promise' : show(value);
        throw invalid(`it returns ${received}, expected an object such as { alt: '…' }`);
      }
      for (const key of Object.keys(value))
        if (!keys.includes(key))
          throw invalid(`\`${key}\` is unknown, expected ${keys.join(', ')}`);
      const found = keys.flatMap((key) => (key in value ? [[key, Reflect.get(value, key)]] : []));
      // A `Map` or a `URLSearchParams` has its values elsewhere.
      if (found.length === 0 && ![Object.prototype, null].includes(Object.getPrototypeOf(value)))
        throw invalid(`it returns an object without ${keys.join(', ')}`);
      return Object.fromEntries(found);
    } catch (cause) {
      if (isMediaAssetError(cause)) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw invalid(`it throws “${reason}”`, cause);
    }
  }

  const given = result();

  function text(key: string, value: unknown = given[key]): string | undefined {
    return isEmpty(value) ? undefined : read.text(key, value).trim();
  }

  function address(key: string): string | undefined {
    const written = text(key);
    if (written === undefined || /^https?:$/.test(URL.parse(written)?.protocol ?? ''))
      return written;
    throw wrong(key, written, 'an http or https URL');
  }

  function sourceType(): string | undefined {
    const written = text('source');
    return written && (readSourceType(written) ?? read.oneOf('source', written, sourceTypes));
  }

  function creators(): string[] {
    const { creator } = given;
    const names = Array.isArray(creator) ? creator : [creator];
    if (names.length > mostCreators)
      throw wrong('creator', creator, `at most ${mostCreators} names`);
    return names.flatMap((name) => text('creator', name) ?? []);
  }

  function rights(): Rights {
    if (!('rights' in given)) return 'allowed';
    return read.oneOf('rights', isEmpty(given.rights) ? 'unknown' : given.rights, allRights);
  }

  return {
    alt: text('alt'),
    credit: text('credit'),
    creators: creators(),
    copyright: text('copyright'),
    license: address('license'),
    acquireLicense: address('acquireLicense'),
    digitalSourceType: sourceType(),
    focus: given.focus == null ? undefined : readFocus(given.focus, wrong),
    rights: rights(),
    until: readDay(given.until, wrong),
  };
}

const isoDay = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]);

/** Reads a day in UTC. A time without a zone counts as UTC. */
function readDay(value: unknown, wrong: Readers['wrong']): string | undefined {
  if (isEmpty(value)) return undefined;
  const isTime = value instanceof Date && !Number.isNaN(value.getTime());
  const written = isTime ? value.toISOString() : value;
  // `2026-12-31 23:30+0200`, as databases write it.
  const spelled =
    typeof written === 'string' &&
    written
      .trim()
      .replace(/^([\d-]{10}) /, '$1T')
      .replace(/T(\d\d:\d\d)(?=$|[Z+-])/, 'T$1:00')
      .replace(/(T.*[+-]\d\d)(\d\d)$/, '$1:$2');
  const { data } = isoDay.safeParse(spelled);
  const hasZone = data !== undefined && /T.*(?:Z|[+-]\d\d:\d\d)$/.test(data);
  const day = hasZone ? new Date(data).toISOString().slice(0, 10) : data?.slice(0, 10);
  // The day after 9999-12-31 sorts before all others.
  if (day === undefined || !/^\d{4}-/.test(day))
    throw wrong('until', value, "a day such as '2026-12-31', an ISO time or a Date");
  return day;
}

/** Whether the site says nothing. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

export function creditOf(record: AssetRecord = emptyRecord): Omit<MediaCredit, 'sourceLabel'> {
  const { credit, creators, copyright, license, acquireLicense, digitalSourceType } = record;
  return { digitalSourceType, credit, creators, copyright, license, acquireLicense };
}

/** The credit that published files contain, without empty values; `undefined` if nothing is left. */
export function embeddedCredit(record: AssetRecord): RecordCredit | undefined {
  const given = Object.entries(creditOf(record)).filter(
    ([, value]) => value !== undefined && value.length > 0,
  );
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

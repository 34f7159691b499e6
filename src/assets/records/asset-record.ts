import { mediaAssetError } from '../../errors/errors.ts';
import { show } from '../../errors/wording.ts';
import type { RecordCredit } from '../formats/credit.ts';
import type { Focus } from '../geometry/crop.ts';
import type { MediaCredit } from '../request/media-asset.ts';
import { readFocus } from '../request/parse-crop.ts';

/** An asset's fields as the service answers them, by name. */
export type RecordFields = Readonly<Record<string, unknown>>;

/** The site's function, whose result is checked. `locale` is the language of the page. */
export type ReadRecord = (
  fields: RecordFields,
  context: { readonly locale: string | undefined },
) => unknown;

/** What a site says about an asset, read from its record. */
export interface AssetRecord extends MediaCredit {
  readonly alt: string | undefined;
  readonly focus: Focus | undefined;
  readonly rights: Rights;
  /** The last day on which the asset may be shown, in UTC: `2026-12-31`. */
  readonly until: string | undefined;
}

const allRights = ['allowed', 'forbidden', 'unknown'] as const;
type Rights = (typeof allRights)[number];

/** An asset without a record: the service doesn't list it. */
export const noRecord: AssetRecord = {
  alt: undefined,
  credit: undefined,
  creators: [],
  copyright: undefined,
  license: undefined,
  acquireLicense: undefined,
  focus: undefined,
  rights: 'unknown',
  until: undefined,
};

const keys: readonly string[] = [
  ...Object.keys(noRecord).filter((key) => key !== 'creators'),
  'creator',
];

/** In characters. */
const longest = 10_000;
const mostCreators = 20;

/**
 * Reads a record with the site's function, and checks the result.
 *
 * @throws `record-invalid`, naming the asset and the key
 */
export function readAssetRecord(
  read: ReadRecord,
  { id, fields, locale }: { id: number; fields: RecordFields; locale: string | undefined },
): AssetRecord {
  const invalid = (problem: string, cause?: unknown) =>
    mediaAssetError('record-invalid', { id, problem }, { cause });
  const wrong = (key: string, value: unknown, expected: string) =>
    invalid(`\`${key}\` is ${show(value)}, expected ${expected}`);

  function result(): Record<string, unknown> {
    let value: unknown;
    try {
      value = read(fields, { locale });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw invalid(`it throws “${reason}”`, cause);
    }
    const isPromise = value instanceof Promise;
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isPromise) {
      const received = isPromise ? 'a promise' : show(value);
      throw invalid(`it returns ${received}, expected an object such as { alt: '…' }`);
    }
    return { ...value };
  }

  const given = result();
  for (const key of Object.keys(given))
    if (!keys.includes(key)) throw invalid(`\`${key}\` is unknown, expected ${keys.join(', ')}`);

  function text(key: string, value: unknown = given[key]): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw wrong(key, value, 'a string');
    if (value.length > longest) throw wrong(key, value, `at most ${longest} characters`);
    return value.trim() || undefined;
  }

  function address(key: string): string | undefined {
    const written = text(key);
    if (written === undefined || /^https?:$/.test(URL.parse(written)?.protocol ?? ''))
      return written;
    throw wrong(key, written, 'an http or https URL');
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
    const value = given.rights ?? 'unknown';
    const found = allRights.find((one) => one === value);
    if (!found) throw wrong('rights', value, `one of ${allRights.join(', ')}`);
    return found;
  }

  return {
    alt: text('alt'),
    credit: text('credit'),
    creators: creators(),
    copyright: text('copyright'),
    license: address('license'),
    acquireLicense: address('acquireLicense'),
    focus:
      given.focus === undefined || given.focus === null
        ? undefined
        : readFocus(given.focus, (expected) => wrong('focus', given.focus, expected)),
    rights: rights(),
    until: readDay(given.until, (expected) => wrong('until', given.until, expected)),
  };
}

/** A day, alone or with a time, and the time zone. */
const isoTime = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}[\d:.]*(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Reads a day in UTC. A time without a zone counts as UTC. @throws the error of `wrong` */
function readDay(value: unknown, wrong: (expected: string) => Error): string | undefined {
  if (value === undefined || value === null) return undefined;
  const written = value instanceof Date ? toIso(value) : value;
  if (typeof written === 'string' && written.trim() === '') return undefined;
  const [whole, day, zone] = isoTime.exec(String(written).trim()) ?? [];
  // JavaScript reads 2026-02-31 as a day in March.
  if (!whole || !day || toIso(new Date(day))?.slice(0, 10) !== day)
    throw wrong("a day such as '2026-12-31', an ISO time or a Date");
  return zone ? toIso(new Date(whole.replace(' ', 'T')))?.slice(0, 10) : day;
}

function toIso(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export function creditOf(record: AssetRecord = noRecord): MediaCredit {
  const { credit, creators, copyright, license, acquireLicense } = record;
  return { credit, creators, copyright, license, acquireLicense };
}

/** The credit that published files contain, without empty values; `undefined` if nothing is left. */
export function embeddedCredit(record: AssetRecord): RecordCredit | undefined {
  const given = Object.entries(creditOf(record)).filter(
    ([, value]) => value !== undefined && value.length > 0,
  );
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

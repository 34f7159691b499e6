import { z } from 'zod';
import type { ResolvedOptions } from '../../config/options.ts';
import type { RecordFields } from '../../config/record-option.ts';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { show } from '../../errors/wording.ts';
import type { RecordCredit } from '../formats/credit.ts';
import { readSourceType, sourceTypes } from '../formats/source-types.ts';
import type { Focus } from '../geometry/crop.ts';
import type { MediaCredit } from '../request/media-asset.ts';
import { readFocus } from '../request/parse-crop.ts';
import { propReaders, type Readers } from '../request/prop-readers.ts';

/** What a site says about an asset, read from its record. */
export interface AssetRecord extends RecordCredit {
  readonly alt?: string | undefined;
  readonly focus?: Focus | undefined;
}

const states = ['allowed', 'forbidden', 'unknown'] as const;

const keys = 'alt credit copyright license acquireLicense focus creator source'.split(' ');

const mostCreators = 20;

/** Readers of what a site's function has returned. */
function readersOf(option: 'record.read' | 'rights.read', id: number) {
  const invalid = (problem: string, cause?: unknown) =>
    mediaAssetError('record-invalid', { id, option, problem }, { cause });
  const readers = propReaders({ id }, ({ name, value, expected }) =>
    invalid(`\`${name}\` is ${show(value)}, expected ${expected}`),
  );

  /** The values of all known keys. An object of a class, such as a `Map`, can have its values elsewhere. */
  function result(call: () => unknown, keys: readonly string[]): Record<string, unknown> {
    try {
      const value = call();
      const prototype = Object.getPrototypeOf(Object(value));
      const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
      if (typeof value !== 'object' || value === null || !isPlain) {
        const received = value instanceof Promise ? 'a promise' : show(value);
        throw invalid(`it returns ${received}, expected a plain object with ${keys.join(', ')}`);
      }
      const unknown = Object.keys(value).find((key) => !keys.includes(key));
      if (unknown !== undefined)
        throw invalid(`\`${unknown}\` is unknown, expected ${keys.join(', ')}`);
      return { ...value };
    } catch (cause) {
      if (isMediaAssetError(cause)) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw invalid(`it throws “${reason}”`, cause);
    }
  }
  return { ...readers, invalid, result };
}

/** How a site reads the texts of records. */
export type TextsRule = NonNullable<ResolvedOptions['record']>;

/** Reads the texts of a record with the site's function, and checks the result. */
export function readAssetRecord(
  rule: TextsRule,
  { id, fields, locale }: { id: number; fields: RecordFields; locale: string | undefined },
): AssetRecord {
  const { wrong, result, ...read } = readersOf('record.read', id);
  const given = result(() => rule.read(fields, { locale }), keys);

  function text(key: string, value: unknown = given[key]): string | undefined {
    return isEmpty(value) ? undefined : printable(read.text(key, value)).trim() || undefined;
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

  return {
    alt: text('alt'),
    credit: text('credit'),
    creators: creators(),
    copyright: text('copyright'),
    license: address('license'),
    acquireLicense: address('acquireLicense'),
    digitalSourceType: sourceType(),
    focus: given.focus == null ? undefined : readFocus(given.focus, 'focus', { wrong }),
  };
}

/**
 * Reads rights with the site's function, which gets only the fields that the site has named for it.
 *
 * @returns `until`: the last day on which the asset may be shown, in UTC: `2026-12-31`
 */
export function readRights(
  readRights: NonNullable<ResolvedOptions['rights']['read']>,
  { id, fields, language }: { id: number; fields: RecordFields; language: string },
) {
  const { wrong, invalid, result, oneOf } = readersOf('rights.read', id);
  // A name that was mistyped would otherwise be a license without an end.
  const named = new Proxy(fields, {
    get(target, name) {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
      throw invalid(`it reads \`${name}\`, which isn't in \`rights.fields\``);
    },
  });
  const given = result(() => readRights(named, { language }), ['state', 'until']);
  const state = isEmpty(given.state) ? 'unknown' : oneOf('state', given.state, states);
  return { state: 'state' in given ? state : 'allowed', until: readDay(given.until, wrong) };
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

/** Without control characters except line breaks and tabs. HTML with U+001B isn't read as UTF-8. */
export function printable(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '');
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

export function creditOf(record: AssetRecord = {}): Omit<MediaCredit, 'sourceLabel'> {
  const { credit, creators = [], copyright, license, acquireLicense, digitalSourceType } = record;
  return { digitalSourceType, credit, creators, copyright, license, acquireLicense };
}

/** The credit that published files contain, without empty values; `undefined` if nothing is left. */
export function embeddedCredit(record: AssetRecord | undefined): RecordCredit | undefined {
  const given = Object.entries(creditOf(record)).filter(
    ([, value]) => value !== undefined && value.length > 0,
  );
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

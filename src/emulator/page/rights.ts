import type { Asset } from '../library/asset.ts';

/** What a record says about the right to show its file. A site decides by fields of its own. */
export interface RightsInWords {
  readonly isForbidden: boolean;
  readonly text: string;
}

/** Fields of services in the wild, in lower case. The interface names none. */
const consentFields = ['consent', 'gdprstatus'];
const endFields = ['licenceto', 'licenseto', 'useto', 'usetom'];
const consents = /^(?:ok|yes|true|given|granted|allowed|approved)$/i;

/** Reads the usual fields about rights; `undefined` without any. `today`: in UTC, `YYYY-MM-DD` */
export function readRights({ metadata }: Asset, today: string): RightsInWords | undefined {
  const valuesOf = (names: readonly string[]) =>
    Object.entries(metadata)
      .filter(([name]) => names.includes(name.toLowerCase()))
      .map(([name, value]) => [name, String(value).trim()] as const)
      .filter(([, value]) => value !== '');
  const consent = valuesOf(consentFields);
  const [name, value] = consent.find(([, value]) => !consents.test(value)) ?? [];
  if (name) return { isForbidden: true, text: `Forbidden: ${name} is “${value}”` };
  const days = valuesOf(endFields).map(([, value]) => value.slice(0, 10));
  const [end] = days.filter((day) => /^\d{4}-\d\d-\d\d$/.test(day)).sort();
  if (end === undefined) return consent[0] && { isForbidden: false, text: 'Allowed' };
  const isForbidden = end < today;
  const text = isForbidden ? `Forbidden: the license ended on ${end}` : `Allowed until ${end}`;
  return { isForbidden, text };
}

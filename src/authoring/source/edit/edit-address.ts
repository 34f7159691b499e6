import { formatMediaAddress, parseMediaAddress } from '../../../assets/request/media-address.ts';
import type { ImagePlace } from '../found-place.ts';
import type { Edit } from '../source-text.ts';
import { escapeLabel } from './write-value.ts';

/** One prop to write. `null` removes it. */
export interface PropChange {
  readonly name: string;
  readonly value: unknown;
}

export function editImage(place: ImagePlace, change: PropChange): Edit[] {
  const { props, alt, address } = place;
  if (change.name === 'alt') {
    if (change.value === props.alt) return [];
    return [{ ...alt, text: escapeLabel(String(change.value)) }];
  }
  const changed = editAddress(address.value, change);
  return changed === address.value ? [] : [{ ...address, text: changed }];
}

/**
 * Changes a parameter of an address. All others keep their order and writing, and a new one comes first:
 * `media:4711?crop=400,200,2400,1600&widths=640,1280`.
 */
export function editAddress(address: string, { name, value }: PropChange): string {
  const [whole, start = '', id = '', query = ''] =
    /^(\s*media:)(-?\d+)(?:\?([\s\S]*))?$/i.exec(address) ?? [];
  if (whole === undefined) throw new TypeError(`Not an address: ${address}`);
  const parameters = query.split('&').filter((one) => one !== '');
  const toAddress = (id: unknown) =>
    [`${start}${id}`, parameters.join('&')].filter(Boolean).join('?');
  if (name === 'id') return toAddress(value);
  const at = parameters.findIndex((one) => decodeURIComponent(one.split('=', 1)[0] ?? '') === name);
  const written = parameterOf(name, value ?? undefined);
  const before = parameterOf(name, Reflect.get(parseMediaAddress(address), name));
  if (at < 0) parameters.unshift(...(value === null ? [] : [written]));
  else if (value === null) parameters.splice(at, 1);
  else if (written !== before) parameters.splice(at, 1, written);
  return toAddress(id);
}

function parameterOf(name: string, value: unknown): string {
  return formatMediaAddress({ id: 1, [name]: value }).split('?')[1] ?? '';
}

import { formatMediaAddress, parseMediaAddress } from '../../../assets/request/media-address.ts';
import type { AssetChange } from '../../toolbar/requests.ts';

type AddressChange = Pick<AssetChange, 'id' | 'crop' | 'aspect' | 'focus'>;

/**
 * Changes parameters of an address. All others keep their order and writing, and new ones come first:
 * `media:4711?crop=400,200,2400,1600&widths=640,1280`.
 */
export function editAddress(address: string, { id, ...change }: AddressChange): string {
  const [whole, start = '', oldId = '', query = ''] =
    /^(\s*media:)(-?\d+)(?:\?([\s\S]*))?$/i.exec(address) ?? [];
  if (whole === undefined) throw new TypeError(`Not an address: ${address}`);
  const old = parseMediaAddress(address);
  const parameters = query.split('&').filter((one) => one !== '');
  const added: string[] = [];
  for (const name of ['crop', 'aspect', 'focus'] as const) {
    const value = change[name];
    if (value === undefined) continue;
    const at = parameters.findIndex(
      (one) => decodeURIComponent(one.split('=', 1)[0] ?? '') === name,
    );
    const [, written = ''] = formatMediaAddress({ id: 1, [name]: value ?? undefined }).split('?');
    const [, before] = formatMediaAddress({ id: 1, [name]: Reflect.get(old, name) }).split('?');
    if (value === null && at >= 0) parameters.splice(at, 1);
    else if (at >= 0 && written !== before) parameters.splice(at, 1, written);
    else if (at < 0 && value !== null) added.push(written);
  }
  const all = [...added, ...parameters];
  return `${start}${id ?? oldId}${all.length > 0 ? `?${all.join('&')}` : ''}`;
}

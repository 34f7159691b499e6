import {
  formatMediaAddress,
  isMediaAddress,
  type MediaAddress,
  parseMediaAddress,
} from '../../assets/request/media-address.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import type { AssetChange } from '../toolbar/protocol.ts';
import { ComputedProp } from './text-edits.ts';

/** The props of an address, or `undefined` if it isn't one of an image. */
export function propsOfAddress(address: unknown): MediaAddress | undefined {
  if (!isMediaAddress(address)) return undefined;
  try {
    return parseMediaAddress(address);
  } catch (thrown) {
    if (isMediaAssetError(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * Changes an address as it's written. Other parameters keep their order and their writing.
 *
 * @throws `ComputedProp` for art direction, which no address has
 */
export function changeAddress(
  address: string,
  { id, crop, aspect, focus, sources }: AssetChange,
): string {
  if (sources && Object.keys(sources).length > 0) throw new ComputedProp('sources');
  const [path = '', query = ''] = address.trim().split(/\?(.*)/s);
  let parameters = query === '' ? [] : query.split('&');
  for (const [name, value] of Object.entries({ crop, aspect, focus })) {
    if (value === undefined) continue;
    const at = parameters.findIndex((one) => one.split('=')[0] === name);
    const text = value === null ? [] : [parameterOf(name, value)];
    if (at < 0) parameters = [...parameters, ...text];
    else parameters.splice(at, 1, ...text);
  }
  const named = id === undefined ? path : `media:${id}`;
  return parameters.length === 0 ? named : `${named}?${parameters.join('&')}`;
}

/** `crop=400,200,2400,1600` */
function parameterOf(name: string, value: unknown): string {
  return formatMediaAddress({ id: 1, [name]: value }).split('?')[1] ?? '';
}

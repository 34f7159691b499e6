import { formatMediaAddress, parseMediaAddress } from '../../../assets/request/media-address.ts';
import { mediaAssetError } from '../../../errors/errors.ts';
import type { AssetChange } from '../../toolbar/protocol.ts';
import type { FoundPlace, ImageForm } from '../found-place.ts';
import type { Edit } from '../source-text.ts';

export function editImage(
  text: string,
  { file, line, props }: FoundPlace,
  { alt: label, address, mdx }: ImageForm,
  { alt, sources, ...change }: AssetChange,
): Edit[] {
  if (sources) throw mediaAssetError('source-computed', { file, line, prop: 'sources' });
  const written = text.slice(address.start, address.end);
  // An address with escapes is replaced as a whole.
  const changed = editAddress(address.value, change);
  return [
    ...(changed === address.value || changed === written
      ? []
      : [{ start: address.start, end: address.end, text: changed }]),
    ...(alt === undefined || alt === props.alt
      ? []
      : [{ start: label.start, end: label.end, text: escapeLabel(alt, { mdx }) }]),
  ];
}

/**
 * Changes parameters of an address. All others keep their order and writing, and new ones come first:
 * `media:4711?crop=400,200,2400,1600&widths=640,1280`.
 */
export function editAddress(
  address: string,
  { id, ...change }: Pick<AssetChange, 'id' | 'crop' | 'aspect' | 'focus'>,
): string {
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

/** Escapes the characters of a text that have a meaning in Markdown, with GFM. */
function escapeLabel(text: string, { mdx }: { mdx: boolean }): string {
  return text
    .replace(/[\\[\]`*~|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(mdx ? /[<{}]/g : /<(?=[a-z/!?])/gi, '\\$&')
    .replace(/&(?=[#\w])/g, '\\&')
    .replace(/^\^/, '\\^')
    .replace(/[\r\n\t]|^ +| +$/g, (all) =>
      Array.from(all, (one) => `&#${one.charCodeAt(0)};`).join(''),
    );
}

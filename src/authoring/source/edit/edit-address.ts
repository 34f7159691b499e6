import { formatMediaAddress, parseMediaAddress } from '../../../assets/request/media-address.ts';
import type { ImagePlace } from '../found-place.ts';
import { type Edit, isMdx } from '../source-text.ts';

/** One prop to write. `null` removes it. */
export interface PropChange {
  readonly name: string;
  readonly value: unknown;
}

/** A reference gets an address of its own, because other images can share its definition. */
export function editImage(text: string, place: ImagePlace, change: PropChange): Edit[] {
  const { file, props, alt, address, ofReference } = place;
  const { start, end, value } = address;
  const inline = (own: string) => ({ start, end, text: `(${own}${ofReference})` });
  if (change.name === 'alt') {
    if (change.value === props.alt) return [];
    const edit = { ...alt, text: escapeLabel(String(change.value), file) };
    // `[quay][]` and `[quay]` name the definition by the alt text.
    const isNamed = ofReference !== undefined && /^(?:\[\])?$/.test(text.slice(start, end));
    return isNamed ? [edit, inline(value)] : [edit];
  }
  // An address with escapes is replaced as a whole.
  const changed = editAddress(value, change);
  if (changed === value || changed === text.slice(start, end)) return [];
  if (ofReference !== undefined) return [inline(changed)];
  return [{ start, end, text: changed }];
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

/** Escapes the characters of a text that have a meaning in a Markdown file, with GFM, or in MDX. */
export function escapeLabel(text: string, file: string): string {
  return text
    .replace(/[\\[\]`*~|]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(isMdx(file) ? /[<{}]/g : /<(?=[a-z/!?])/gi, '\\$&')
    .replace(/&(?=[#\w])/g, '\\&')
    .replace(/^\^/, '\\^')
    .replace(/[\r\n\t]|^ +| +$/g, (all) =>
      Array.from(all, (one) => `&#${one.charCodeAt(0)};`).join(''),
    );
}

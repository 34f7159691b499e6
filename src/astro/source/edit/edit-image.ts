import { mediaAssetError } from '../../../errors/errors.ts';
import type { AssetChange } from '../../toolbar/requests.ts';
import type { Edit, FoundPlace, ImageForm } from '../found-place.ts';
import { editAddress } from './edit-address.ts';

/** @throws `source-computed` for `sources`, which an address can't have */
export function editImage(
  text: string,
  { file, line, props }: FoundPlace,
  { alt: label, address, mdx }: ImageForm,
  { alt, sources, ...change }: AssetChange,
): Edit[] {
  if (sources) throw mediaAssetError('source-computed', { file, line, prop: 'sources' });
  const written = text.slice(address.start, address.end);
  // With escapes in it, the whole address is written anew.
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

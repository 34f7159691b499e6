import type { Place } from '../../errors/place.ts';
import { createElement } from '../crop-editor/create-element.ts';
import type { AssetKind, Notice, ShownAsset, Size } from '../toolbar/protocol.ts';
import { noticeFrom } from './session.ts';

export const kindNames: Readonly<Record<AssetKind, string>> = {
  ...{ image: 'Image', video: 'Video', audio: 'Audio', document: 'Document' },
};

/** `2400 × 1600 px`, or nothing if the size is unknown. */
export function describeSize(size: Size | undefined): string {
  return size ? `${size.width} × ${size.height} px` : '';
}

/** `src/pages/index.astro:12`, as editors open it. */
export function describePlace({ file, line }: Place): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** Whether neither the page nor the record has a text, and the page doesn't mark it as decoration. */
export function lacksAlt({ alt, given, kind }: ShownAsset): boolean {
  return alt === '' && given === undefined && kind === undefined;
}

/** Why the page's text can't be changed at a place in data. */
export function describeAltSource({ given }: ShownAsset): string {
  if (given === undefined) return "The page shows the alt text of the asset's record.";
  const text = given === '' ? 'marks the image as decoration' : `has the alt text “${given}”`;
  return `The page's template ${text}. If that doesn't fit, change it there.`;
}

export function createFailure(error: unknown): HTMLElement {
  return createNotice(noticeFrom(error), 'alert');
}

export function createNotice(
  { code, message, hint }: Notice,
  role: 'alert' | 'status' = 'status',
): HTMLElement {
  return createElement(
    'div',
    { class: role === 'alert' ? 'notice bad' : 'notice', role },
    createElement('p', {}, message),
    hint !== undefined && createElement('p', {}, hint),
    createElement('code', {}, code),
  );
}

/** Names and values. Values that are empty are left out. */
export function createFacts(
  facts: readonly (readonly [name: string, value: string])[],
): HTMLElement {
  const given = facts.filter(([, value]) => value !== '').flat();
  return createElement(
    'dl',
    {},
    ...given.map((text, at) => createElement(at % 2 ? 'dd' : 'dt', {}, text)),
  );
}

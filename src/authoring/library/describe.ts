import { createElement } from '../crop-editor/create-element.ts';
import type { AssetKind, Notice, Size } from '../toolbar/protocol.ts';
import { noticeFrom } from './session.ts';

export const kindNames: Readonly<Record<AssetKind, string>> = {
  ...{ image: 'Image', video: 'Video', audio: 'Audio', document: 'Document' },
};

/** `2400 × 1600 px`, or nothing if the size is unknown. */
export function describeSize(size: Size | undefined): string {
  return size ? `${size.width} × ${size.height} px` : '';
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
  return createElement(
    'dl',
    {},
    ...facts
      .filter(([, value]) => value !== '')
      .flatMap(([name, value]) => [createElement('dt', {}, name), createElement('dd', {}, value)]),
  );
}

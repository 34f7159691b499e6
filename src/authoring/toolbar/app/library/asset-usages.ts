import { createElement } from '../../../crop-editor/create-element.ts';
import type { AssetDetails, UsingPage } from '../../protocol.ts';
import { createNotice } from '../describe.ts';
import { noticeFrom } from '../session.ts';

/**
 * The pages that the service lists for an asset, and others that this site has reported, once they're
 * known.
 */
export function createUsages(details: Promise<AssetDetails>): HTMLElement {
  const element = createElement('div');
  details.then(
    (known) => element.replaceChildren(listUsages(known)),
    (error) => element.replaceChildren(createNotice(noticeFrom(error), 'alert')),
  );
  return element;
}

function listUsages({ usages, reported }: AssetDetails): HTMLElement {
  const listed = new Set(usages?.map(({ page }) => page));
  const others = reported.filter(({ page }) => !listed.has(page));
  const items = [
    ...(usages ?? []).map((usage) => createElement('li', {}, describe(usage))),
    ...others.map((usage) => createElement('li', {}, `${describe(usage)}, as this site reported`)),
  ];
  return createElement(
    'section',
    {},
    createElement('h3', {}, 'Used on'),
    items.length > 0
      ? createElement('ul', {}, ...items)
      : createElement('p', { class: 'quiet' }, emptyText(usages)),
  );
}

/** Whether no page uses an asset. `false` if the service has no list. */
export function isUnused({ usages, reported }: AssetDetails): boolean {
  return usages?.length === 0 && reported.length === 0;
}

function describe({ page, pageName }: UsingPage): string {
  return pageName ? `${pageName} (${page})` : page;
}

function emptyText(usages: AssetDetails['usages']): string {
  return usages ? 'Used by no page until now.' : 'The service has no list of usages.';
}

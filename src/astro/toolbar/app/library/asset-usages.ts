import type { AssetDetails } from '../../protocol.ts';
import { createElement } from '../create-element.ts';

/** The pages that the service lists for an asset. */
export function createUsages({ usages }: AssetDetails): HTMLElement {
  return createElement(
    'section',
    {},
    createElement('h3', {}, 'Used on'),
    usages && usages.length > 0
      ? createElement('ul', {}, ...usages.map(({ page, pageName }) => toItem(page, pageName)))
      : createElement('p', { class: 'quiet' }, emptyText(usages)),
  );
}

function toItem(page: string, pageName: string | undefined): HTMLLIElement {
  return createElement('li', {}, pageName ? `${pageName} (${page})` : page);
}

function emptyText(usages: AssetDetails['usages']): string {
  return usages ? 'Used by no page until now.' : 'The service has no list of usages.';
}

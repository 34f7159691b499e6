import type { XmlElement } from 'jsdom';

/** How deep elements and what they use may go together. */
const mostLevels = 2000;

/**
 * How many elements a browser draws, each `use` counted as all that it stands for.
 *
 * @param most stops counting
 * @throws an `Error` where there are more, where they are nested too deeply, and where one stands for
 * itself, which browsers do not draw
 */
export function countDrawn(root: XmlElement, most: number): number {
  const byId = new Map<string, XmlElement>();
  for (const element of root.querySelectorAll('[id]')) {
    const id = element.getAttribute('id') ?? '';
    if (!byId.has(id)) byId.set(id, element);
  }
  const counts = new Map<XmlElement, number | 'counting'>();

  function count(element: XmlElement, level: number): number {
    const known = counts.get(element);
    if (known === 'counting') throw new Error('an element of it uses itself');
    if (known !== undefined) return known;
    if (level > mostLevels) throw new Error('its elements use each other too deeply');
    counts.set(element, 'counting');
    let total = 1;
    for (const child of element.children) total += count(child, level + 1);
    const used = element.localName === 'use' ? byId.get(fragmentOf(element)) : undefined;
    if (used) total += count(used, level + 1);
    if (total > most) throw new Error('it draws too many elements');
    counts.set(element, total);
    return total;
  }

  return count(root, 0);
}

function fragmentOf(element: XmlElement): string {
  const fragment = (element.getAttribute('href') ?? '').slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Browsers take what is no percent encoding as it is.
    return fragment;
  }
}

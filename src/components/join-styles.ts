/** Joins our declarations and the author's `style`. The author's come last, so they win. */
export function joinStyles(own: string | undefined, written: unknown): unknown {
  if (own === undefined) return written;
  return [own, toText(written)].filter(Boolean).join(';');
}

/** A `style` as Astro accepts it: a string, an object, or an array of both. */
function toText(written: unknown): string {
  if (typeof written === 'string' || written instanceof String) return `${written}`;
  if (Array.isArray(written)) return written.map(toText).join(';');
  if (typeof written !== 'object' || written === null) return '';
  return Object.entries(written)
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value.trim()))
    .map(([name, value]) => `${toProperty(name)}:${value}`)
    .join(';');
}

function toProperty(name: string): string {
  if (name.startsWith('--')) return name;
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

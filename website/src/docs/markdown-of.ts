import type { CollectionEntry } from 'astro:content';

/** A page of the docs as it is in the repository. */
export function markdownOf({ data, body = '' }: CollectionEntry<'docs'>): string {
  return `# ${data.heading ?? data.title}\n\n${body.trimEnd()}\n`;
}

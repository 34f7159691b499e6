import { getCollection } from 'astro:content';
import { markdownOf } from '../docs/markdown-of.ts';

/** All pages in one file, for assistants. */
export async function GET(): Promise<Response> {
  const pages = await getCollection('docs');
  pages.sort((a, b) => a.id.localeCompare(b.id, 'en'));
  return new Response(pages.map(markdownOf).join('\n'));
}

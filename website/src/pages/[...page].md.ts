import { getCollection } from 'astro:content';
import { markdownOf } from '../docs/markdown-of.ts';

export async function getStaticPaths() {
  const pages = await getCollection('docs');
  return pages.map((entry) => ({ params: { page: entry.id }, props: { entry } }));
}

/** Each page of the docs as Markdown, for assistants. */
export function GET({ props }: { props: { entry: Parameters<typeof markdownOf>[0] } }): Response {
  return new Response(markdownOf(props.entry));
}

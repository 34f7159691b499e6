import { getCollection } from 'astro:content';

/** What the site has, for assistants: https://llmstxt.org */
export async function GET({ site }: { site: URL | undefined }): Promise<Response> {
  const pages = await getCollection('docs');
  const at = (path: string) => new URL(`${import.meta.env.BASE_URL}${path}`, site).href;
  const lines = pages
    .sort((a, b) => a.id.localeCompare(b.id, 'en'))
    .map(({ id, data }) => `- [${data.title}](${at(`${id}.md`)}): ${data.description ?? ''}`);
  return new Response(`# astro-media-asset

> Use your DAM's images in Astro by ID, and keep its usage records in sync with what you publish.

Start with [the page for coding agents](${at('agents.md')}). [All pages in one file](${at('llms-full.txt')}).

## Pages

${lines.join('\n')}
`);
}

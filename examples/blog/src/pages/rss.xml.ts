import { getCollection } from 'astro:content';
import type { APIRoute } from 'astro';

export const GET: APIRoute = async ({ site }) => {
  const posts = await getCollection('blog');
  const items = posts.map(({ id, data, rendered }) => {
    const url = new URL(`/blog/${id}/`, site);
    // Feed readers need absolute URLs, also in `srcset`.
    const html = rendered?.html.replace(/(?<==")\/(?!\/)|(?<=\d[wx], )\//g, `${site?.origin}/`);
    return `<item>
      <title>${data.title}</title>
      <link>${url}</link>
      <guid>${url}</guid>
      <pubDate>${data.date.toUTCString()}</pubDate>
      <content:encoded><![CDATA[${html}]]></content:encoded>
    </item>`;
  });
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
  <channel>
    <title>News of the harbour</title>
    <link>${site}</link>
    <description>What happens at the quay</description>
    ${items.join('')}
  </channel>
</rss>
`,
    { headers: { 'Content-Type': 'application/rss+xml' } },
  );
};

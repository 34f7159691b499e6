import { expect, test } from 'vitest';
import { unreadAddresses } from '../../../src/astro/build/built-files.ts';

const rss = (content: string) => `<rss version="2.0"><item>${content}</item></rss>`;
const json = (content: string) =>
  JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ content }] });

test.each([
  ['a.html', '<img src="media:1?width=2">', ['media:1?width=2']],
  ['a.html', '<p>![A boat](media:1)</p>', []],
  ['rss.xml', rss('&lt;img alt="" src=&quot;media:1&quot;&gt;'), ['media:1']],
  ['rss.xml', rss('<![CDATA[<img src="media:1?a=1&b=2">]]>'), ['media:1?a=1&b=2']],
  ['rss.xml', rss('![A boat](media:1?width=9)'), ['media:1?width=9']],
  ['rss.xml', rss('<![CDATA[[A report](<media:2>)]]>'), ['media:2']],
  ['feed.atom', '<feed><content>&lt;a href=&#39;media:2&#39;&gt;</content></feed>', ['media:2']],
  ['feed.json', json('<a>\n</a><img\nsrc="media:1">'), ['media:1']],
  ['feed.json', json('![A boat](media:1)'), ['media:1']],
  // Mentions of such a URL, and files that aren't feeds:
  ['rss.xml', rss('&lt;p&gt;&amp;lt;img src=&amp;quot;media:1&amp;quot;&lt;/p&gt;'), []],
  ['search.json', JSON.stringify(['![A boat](media:1)']), []],
  ['a.js', ' src="media:1"', []],
])('in %s reads %s as %j', (file, text, found) => {
  expect(unreadAddresses(file, text)).toEqual(found);
});

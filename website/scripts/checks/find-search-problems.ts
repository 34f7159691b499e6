import { catalogue } from '../../../src/errors/error-catalogue.ts';
import type { TestBrowser } from '../../../test/support/browser/browser.ts';

/** A search for a code finds its page once, before all others. */
export async function findSearchProblems(website: {
  readonly browser: TestBrowser;
  /** With a slash at its end. */
  readonly url: string;
}): Promise<string[]> {
  const page = await website.browser.open({ baseURL: website.url });
  await page.goto('');
  const codes = Object.keys(catalogue);
  const found = await page.evaluate<string[][]>(`(async () => {
    const pagefind = await import('${website.url}pagefind/pagefind.js');
    const titles = [];
    for (const code of ${JSON.stringify(codes)}) {
      const { results } = await pagefind.search(code);
      const first = await Promise.all(results.slice(0, 3).map((result) => result.data()));
      titles.push(first.map(({ meta }) => meta.title));
    }
    return titles;
  })()`);
  await website.browser.closePages();
  return codes.flatMap((code, at) => {
    const titles = found[at] ?? [];
    const isFirst = titles[0] === code && titles.lastIndexOf(code) === 0;
    return isFirst ? [] : [`A search for ${code} finds ${titles.join(', ') || 'nothing'}.`];
  });
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import {
  type MarkdownOptions,
  planToMarkdown,
} from '../../../src/usage/output/plan-to-markdown.ts';
import { planUsage } from '../../../src/usage/plan/plan-usage.ts';
import {
  identity,
  type Known,
  ledgerOf,
  manifestOf,
  site,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';

function markdown(
  manifest: Manifest,
  known: readonly Known[] = [],
  options?: Partial<MarkdownOptions>,
) {
  const ledger = ledgerOf(...known);
  const run = { manifest, ledger, fields: siteFields, today: '2026-03-02' };
  const plan = planUsage({ ...run, maxIdsPerRequest: 100, allowRemovals: false });
  return planToMarkdown(plan, { identity, ...options });
}

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe('a plan as Markdown', () => {
  test('is a code block that begins lines with their sign', () => {
    const manifest = manifestOf({ '/': ['Harbour', 4711, 4712], '/quay/': ['The quay', 4712] });
    const known: Known[] = [
      ['/', 'Harbour', [4711]],
      ['/boats/', 'Boats', [-4715]],
      ['/quay/', 'The quay', [4712]],
    ];
    expect(markdown(manifest, known, { manifest, names: { 4712: 'Quay' } })).toBe(
      `
### Asset usages

\`\`\`diff
Usages: https://harbour.example/ → ${identity.service}

  + report   - remove

Harbour  /
+ 4712 Quay

Boats  /boats/
- -4715  (the page is gone)

Plan: 1 usage to report, 1 to remove. (2 unchanged, 2 requests)
Guard: removes 1 of 3 known usages; up to 10 are allowed.
\`\`\`

Planned; nothing was sent.
`.trimStart(),
    );
  });

  test.each([
    [1, '\n\nSent: 1 usage reported, 0 removed, in 2 requests.'],
    [0, ''],
  ])('shows %i sent usages, and the reason for unsent ones', (reported, sent) => {
    const result = { reported, removed: 0, requests: 2, unsent: 1, reason: 'No *answer* came.' };
    const text = markdown(manifestOf({ '/': ['Harbour', 1, 2] }), [], { result });
    const unsent = '**Unsent:** 1, kept for the next run. No \\*answer\\* came.';
    expect(text.endsWith(`\n\n${unsent}${sent}\n`)).toBe(true);
  });

  test("counts the pages that don't fit", () => {
    const pages = Object.fromEntries(
      many(500).map((page) => [`/${page}/`, [`Page ${page}`, ...many(60)] as const]),
    );
    const text = markdown(manifestOf(pages));
    expect(text.length).toBeLessThan(51_000);
    expect(text).toMatch(/\n… and \d+ more pages with \d+ usages/);
    expect(text).toContain('Plan: 30000 usages to report.');
  });

  test('fits a comment, whatever ends on pages with long addresses', () => {
    const pages = many(10).map((page) => `${site}/${'quay'.repeat(100)}/${page}/`);
    const rights = many(50).map((id) => ({ id, state: 'forbidden' as const, pages }));
    const text = markdown(manifestOf({ '/': ['Harbour', 1] }), [], { rights });
    expect(text.length).toBeLessThan(51_000);
    expect(text).toMatch(/\n…\n```\n\nPlanned; nothing was sent\.\n$/);
  });

  test('shows any title and name in its code block, which they never end', () => {
    const names = fc.string({ unit: fc.constantFrom(...'`~|\\<>[]@#&\n\r\u2028 a') });
    fc.assert(
      fc.property(names, names, (title, name) => {
        const manifest = manifestOf({ '/': [`a${title}`, 1] });
        const lines = markdown(manifest, [], { names: { 1: name } }).split(/[\n\r\u2028]/);
        const [fence = ''] = /^`+/.exec(lines[2] ?? '') ?? [];
        const ends = lines.flatMap((line, at) => (line.startsWith(fence) ? at : []));
        expect(ends).toEqual([2, lines.lastIndexOf('Planned; nothing was sent.') - 2]);
      }),
    );
  });
});

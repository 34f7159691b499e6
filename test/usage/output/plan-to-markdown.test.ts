import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import {
  type MarkdownOptions,
  planToMarkdown,
} from '../../../src/usage/output/plan-to-markdown.ts';
import { planUsage } from '../../../src/usage/plan/plan-usage.ts';
import {
  heldIds,
  type Known,
  ledgerOf,
  manifestOf,
  site,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';

function markdown(manifest: Manifest, known: readonly Known[] = [], options?: MarkdownOptions) {
  const ledger = ledgerOf(...known);
  const run = { manifest, ledger, fields: siteFields, today: '2026-03-02' };
  const plan = planUsage({ ...run, maxIdsPerRequest: 100, allowRemovals: false });
  return planToMarkdown(plan, options);
}

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe('a plan as Markdown', () => {
  test('shows page by page what is published and un-published', () => {
    const manifest = manifestOf({
      '/': ['Harbour', 4711, 4712],
      '/quay/': ['The old quay', 4712],
    });
    const known: Known[] = [
      ['/', 'Harbour', [4711]],
      ['/boats/', 'Boats', [4715, 4716]],
      ['/quay/', 'The quay', [4712]],
    ];
    expect(markdown(manifest, known)).toBe(
      `
### Asset usages

This change **publishes 1 usage, unpublishes 2, reports 1 again**.

Each number is the ID of an asset in the Media Asset Service. *publishes*: the page now shows the asset; *unpublishes*: the page no longer shows the asset; *reports again*: the page still shows the asset, and the service's entry is updated.

| page | publishes | unpublishes | reports again |
| --- | --- | --- | --- |
| [Harbour](<https://harbour.example/>) | 4712 |  |  |
| [Boats](<https://harbour.example/boats/>) |  | 4715, 4716 |  |
| [The old quay](<https://harbour.example/quay/>) |  |  | 4712 (name was “The quay”) |

Planned; nothing was sent.
`.trimStart(),
    );
  });

  test('shows sent usages, and the reason for unsent ones', () => {
    const counts = { reported: 1, removed: 0, requests: 2, unsent: 1 };
    const result = { ...counts, reason: 'No *answer* came.' };
    const text = markdown(manifestOf({ '/': ['Harbour', 1, 2] }), [], { result });
    expect(text).toContain(
      '\n**Unsent:** 1, kept for the next run. No \\*answer\\* came.\n\nSent: 1 usage reported, 0 removed, in 2 requests.\n',
    );
  });

  test("doesn't say that something was sent if nothing was", () => {
    const result = { reported: 0, removed: 0, requests: 0, unsent: 2, reason: 'No answer came.' };
    const text = markdown(manifestOf({ '/': ['Harbour', 1, 2] }), [], { result });
    expect(text).toContain('\n**Unsent:** 2, kept for the next run. No answer came.\n');
    expect(text).not.toContain('Sent:');
  });

  test('without changes says so', () => {
    expect(markdown(manifestOf({ '/': ['Harbour', 1] }), [['/', 'Harbour', [1]]])).toBe(
      '### Asset usages\n\nNothing changes: the service already lists what the pages show.\n',
    );
  });

  test('names blocked removals and the option that allows them', () => {
    const text = markdown(manifestOf({ '/': ['Harbour'] }), [['/old/', 'Old', heldIds]]);
    expect(text).toContain(`holds ${heldIds.length} removals`);
    expect(text).toContain(
      `**Held:** ${heldIds.length} of ${heldIds.length} known usages would be removed`,
    );
    expect(text).toContain('--allow-removals');
  });

  test('only explains the columns that it shows', () => {
    const known: Known[] = [['/z/', 'Gone', [1]]];
    const shown = many(1500).map((page) => [`/${page}/`, [`Page ${page}`, 2] as const]);
    const text = markdown(manifestOf(Object.fromEntries(shown)), known);
    expect(text).toMatch(/\n… and \d+ more pages with \d+ usages\./);
    expect(text).toContain('unpublishes 1**');
    expect(text).toContain('| page | publishes |\n');
    expect(text).not.toContain('*unpublishes*');
  });

  test("counts the pages and IDs that don't fit", () => {
    const pages = Object.fromEntries(
      many(500).map((page) => [`/${page}/`, [`Page ${page}`, ...many(60)] as const]),
    );
    const text = markdown(manifestOf(pages));
    expect(text.length).toBeLessThan(51_000);
    expect(text).toContain('48, 49, 50 and 10 more |');
    expect(text).toMatch(
      /\n… and \d+ more pages with \d+ usages\. `media-asset plan` shows all\.\n/,
    );
  });
});

/** Page names and asset names, and the Markdown that shows them. */
const names = [
  ['a|b', 'a\\|b'],
  ['<img src=x onerror=y>', '&lt;img src=x onerror=y&gt;'],
  ['[a](b)', '\\[a\\]\\(b\\)'],
  ['`rm`', '\\`rm\\`'],
  ['two\nlines', 'two lines'],
  ['quay\u202eyauq', 'quay yauq'],
  ['A & B', 'A &amp; B'],
  ['@harbour', '@\u200bharbour'],
  ['no. #12', 'no. \\#\u200b12'],
  ['see https://x.example', 'see https://\u200bx.example'],
];

describe('a page name', () => {
  test.each(names)('%j is shown literally', (name, expected) => {
    expect(markdown(manifestOf({ '/': [name, 1] }))).toContain(`| [${expected}](<${site}/>) | 1 |`);
  });

  test('with any characters makes no row, cell or element', () => {
    const names = fc.string({ unit: fc.constantFrom(...'|\\<>[]()`*_~#@&\n\r\u2028 a') });
    fc.assert(
      fc.property(names, (name) => {
        const text = markdown(manifestOf({ '/': [name, 1] }));
        const rows = text.split(/[\n\r\u2028]/).filter((line) => line.startsWith('|'));
        expect(rows).toHaveLength(3);
        const row = rows[2]?.replace(/\\./g, '') ?? '';
        expect(row.split('|')).toHaveLength(4);
        expect(row.replace(`<${site}/>`, '')).not.toMatch(/[<>`]/);
      }),
    );
  });
});

describe("an asset's name", () => {
  const pages = manifestOf({ '/': ['Harbour', -5, 1, 2] });

  test.each(names)('%j is shown next to its ID', (name, expected) => {
    const text = markdown(pages, [], { names: { '1': name } });
    expect(text).toContain(`| \\-5, 1 ${expected}, 2 |`);
  });

  test('of 300 characters is cut to 60', () => {
    const text = markdown(pages, [], { names: { '-5': '🚢'.repeat(300) } });
    expect(text).toContain(`| \\-5 ${'🚢'.repeat(59)}…, 1, 2 |`);
  });
});

describe('the rights of assets', () => {
  const ending = Array.from({ length: 52 }, (_, index) => ({
    ...{ id: index + 1, state: 'ending' as const, until: '2026-12-31' },
    pages: Array.from({ length: 12 }, (_, page) => `/${page}/`),
  }));

  test('are a table below the plan, with names that add no markup', () => {
    const rights = [{ id: 4711, state: 'forbidden' as const, pages: ['/a|b/'] }];
    const names = { 4711: '<b>Quay</b>' };
    expect(markdown(manifestOf({ '/': ['Harbour'] }), [], { rights, names })).toContain(
      '| asset | rights | pages |\n| --- | --- | --- |\n| 4711 &lt;b&gt;Quay&lt;/b&gt; | forbidden | /a\\|b/ |\n',
    );
  });

  test('count further assets and pages', () => {
    const text = markdown(manifestOf({ '/': ['Harbour'] }), [], { rights: ending });
    expect(text.match(/ends 2026/g)).toHaveLength(50);
    expect(text).toContain('/9/, 2 more |');
    expect(text).toContain('… and 2 more assets. `media-asset rights` shows all.');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import {
  type MarkdownOptions,
  planToMarkdown,
} from '../../../src/usage/output/publish-markdown.ts';
import {
  assetLabel,
  type RenderOptions,
  renderPlan,
} from '../../../src/usage/output/render-plan.ts';
import { type Plan, planUsage } from '../../../src/usage/plan/plan-usage.ts';
import {
  heldIds,
  identity,
  type Known,
  ledgerOf,
  manifestOf,
  removalsAlwaysAllowed,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';

const head = 'Usages: https://harbour.example/ → https://media.example';

function planOf(manifest: Manifest, known: readonly Known[]): Plan {
  const run = { manifest, ledger: ledgerOf(...known), fields: siteFields, today: '2026-03-02' };
  return planUsage({ ...run, maxIdsPerRequest: 100, allowRemovals: false });
}

const render = (
  manifest: Manifest,
  known: readonly Known[] = [],
  options?: Partial<RenderOptions>,
) => renderPlan(planOf(manifest, known), { identity, manifest, ...options });

const markdown = (
  manifest: Manifest,
  known: readonly Known[] = [],
  options?: Partial<MarkdownOptions>,
) => planToMarkdown(planOf(manifest, known), { identity, ...options });

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe('a plan as text', () => {
  test('without pages, is one line with its counts', () => {
    const manifest = manifestOf({ '/': ['Harbour', 4711, 4712], '/quay/': ['The quay', 4712] });
    expect(render(manifest, [], { maxPages: 0 })).toBe('Plan: 3 usages to report. (2 requests)');
  });

  test('shows page by page what is reported, replaced and removed, and counts it', () => {
    const manifest = manifestOf({
      '/': ['Harbour', 4711, 4712],
      '/quay/': ['The old quay', 4712, 4713],
      '/tower/': ['Tower', 4714],
    });
    const known: Known[] = [
      ['/', 'Harbour', [4711]],
      ['/boats/', 'Boats', [4715, 4716]],
      ['/quay/', 'The quay', [4712, 4713, 4717]],
      ['/tower/', 'Tower', [4714], 'in-doubt'],
    ];
    expect(render(manifest, known, { next: 'media-asset report dist' })).toBe(
      `
${head}

  + report   ~ replace   - remove

Harbour  /
  + 4712

Boats  /boats/
  - 4715, 4716  (the page is gone)

The old quay  /quay/
  ~ 4712, 4713  (name was “The quay”)
  - 4717

Tower  /tower/
  ~ 4714  (in doubt since an earlier run)

Plan: 1 usage to report, 3 to remove, 3 to replace. (1 unchanged, 6 requests)
Guard: removes 3 of 7 known usages; up to ${removalsAlwaysAllowed} are allowed.
Next: media-asset report dist
`.trim(),
    );
  });

  test('without changes says that there is nothing to do, and suggests no next step', () => {
    const manifest = manifestOf({ '/': ['Harbour', 1] });
    expect(render(manifest, [['/', 'Harbour', [1]]], { next: 'media-asset report dist' })).toBe(
      `${head}\n\nNothing to report: the service already lists what the pages show. 1 usage, unchanged.`,
    );
  });

  test('of a single request suggests the next step', () => {
    const text = render(manifestOf({ '/': ['Harbour', 1] }), [], {
      next: 'media-asset report dist',
    });
    expect(text).toMatch(/\. \(1 request\)\nNext: media-asset report dist$/);
  });

  test('names blocked removals and the option that allows them', () => {
    const known: Known[] = [
      ['/', 'Harbour', [1]],
      ['/old/', 'Old', heldIds],
    ];
    const text = render(manifestOf({ '/': ['Harbour', 1] }), known);
    const line = `! ${heldIds.join(', ')}  (no longer shown; removal held)`;
    expect(text).toContain(`\n\n  ! held\n\nOld  /old/\n  ${line}\n\n`);
    expect(text).toMatch(/\nPlan: nothing to send\. \(1 unchanged\)\nHeld: .* --allow-removals\.$/);
  });

  test("counts the lines that don't fit", () => {
    const pages = Object.fromEntries(
      many(5).map((page) => [`/${page}/`, [`Page ${page}`, ...many(4)] as const]),
    );
    expect(render(manifestOf(pages), [], { maxPages: 2 })).toMatch(
      /\n\nPage 2 {2}\/2\/\n {2}\+ 1, 2, 3, 4\n\n… and 3 more pages with 12 usages\n\nPlan: 20 usages to report\. \(5 requests\)$/,
    );
  });

  test('colours signs in a terminal', () => {
    const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const [bold, dim, green, yellow, red] = ['b', 'dim', 'green', 'yellow', 'red'].map(mark);
    const paint = { bold, dim, green, yellow, red } as NonNullable<RenderOptions['paint']>;
    const manifest = manifestOf({ '/': ['Home', 1], '/new/': ['New', 2] });
    const text = render(
      manifest,
      [
        ['/', 'Harbour', [1]],
        ['/old/', 'Old', [3]],
      ],
      { paint },
    );
    expect(text).toContain('<b>Home</b>  <dim>/</dim>\n  <yellow>~</yellow> 1');
    expect(text).toContain('<green>+</green> 2');
    expect(text).toContain('<red>-</red> 3');
  });

  test("lets no page name control the terminal, add a line or change a line's direction", () => {
    const name = '\u202eyauq\u001b[2J\u2066 a\u2028- 4711';
    const text = render(manifestOf({ '/': [name, 1], '/quay/': ['Quay', 2] }), [
      ['/quay/', name, [2]],
    ]);
    expect(text).toContain('\n yauq [2J  a - 4711  /\n');
    expect(text).toContain('~ 2  (name was “ yauq [2J  a - 4711”)');
  });

  test('names the assets with known names, each on the line of its page', () => {
    const manifest = manifestOf({ '/': ['Harbour', 4711, 4712, 4713] });
    const name = `Quay\u001b[2J\n::error::red\u202e | ${'a'.repeat(300)}`;
    const names = { '4711': 'The quay at dawn', '4712': name };
    expect(render(manifest, [], { names })).toContain(
      `\n  + 4711 The quay at dawn, 4712 Quay [2J ::error::red  | ${'a'.repeat(34)}…, 4713\n`,
    );
  });
});

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

Planned; nothing was sent.
\`\`\`
`.trimStart(),
    );
  });

  test.each([
    [2, '1 usage reported, 0 removed, in 2 requests'],
    [0, 'Nothing was sent'],
  ])('of %i requests shows what was sent, and the reason for unsent usages', (requests, sent) => {
    const counts = { reported: 1, removed: 0, unsent: 1, held: 0 };
    const result = { ...counts, requests, reason: 'No *answer* came.' };
    const text = markdown(manifestOf({ '/': ['Harbour', 1, 2] }), [], { result });
    expect(text.endsWith(`\n\n${sent}; 1 unsent. No *answer* came.\n\`\`\`\n`)).toBe(true);
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

  test('shows any title and name in its code block, which they never end', () => {
    const names = fc.string({ unit: fc.constantFrom(...'`~|\\<>[]@#&\n\r\u2028 a') });
    fc.assert(
      fc.property(names, names, (title, name) => {
        const manifest = manifestOf({ '/': [`${title}a`, 1] });
        const lines = markdown(manifest, [], { names: { 1: name } }).split(/[\n\r\u2028]/);
        const [fence = 'none'] = /^`{3,}/.exec(lines[2] ?? '') ?? [];
        const ends = lines.flatMap((line, at) => (line.startsWith(fence) ? at : []));
        expect(ends).toEqual([2, lines.lastIndexOf('Planned; nothing was sent.') + 1]);
      }),
    );
  });
});

test.each([
  ['an ID without a name', '', '4711'],
  ['a name of sixty characters', 'é'.repeat(60), `4711 ${'é'.repeat(60)}`],
  ['a longer one, cut to sixty', '🚤'.repeat(61), `4711 ${'🚤'.repeat(59)}…`],
  ['a name of two lines', 'The\nquay ', '4711 The quay'],
])('the label of an asset is %s', (_, name, label) => {
  expect(assetLabel(4711, { 4711: name })).toBe(label);
});

import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import { type RenderOptions, renderPlan } from '../../../src/usage/output/render-plan.ts';
import { planUsage, removalsAlwaysAllowed } from '../../../src/usage/plan/plan-usage.ts';
import {
  heldIds,
  identity,
  type Known,
  ledgerOf,
  manifestOf,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';

function render(manifest: Manifest, known: readonly Known[] = [], options?: RenderOptions): string {
  const plan = planUsage({
    manifest,
    ledger: ledgerOf(...known),
    fields: siteFields,
    today: '2026-03-02',
    maxIdsPerRequest: 100,
    allowRemovals: false,
  });
  return renderPlan(plan, { manifest, ...options });
}

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

describe('a plan as text', () => {
  test('shows page by page what is reported, replaced and removed, and counts it', () => {
    const manifest = manifestOf({
      '/': ['Harbour', 4711, 4712],
      '/quay/': ['The old quay', 4712, 4713],
      '/tower/': ['Tower', 4714],
    });
    expect(
      render(manifest, [
        ['/', 'Harbour', [4711]],
        ['/boats/', 'Boats', [4715, 4716]],
        ['/quay/', 'The quay', [4712, 4713, 4717]],
        ['/tower/', 'Tower', [4714], 'in-doubt'],
      ]),
    ).toBe(
      `
Harbour  https://harbour.example/
  + 4712

Boats  https://harbour.example/boats/
  - 4715, 4716  (the page is gone)

The old quay  https://harbour.example/quay/
  ~ 4712, 4713  (name was “The quay”)
  - 4717

Tower  https://harbour.example/tower/
  ~ 4714  (in doubt since an earlier run)

Plan: 1 usage to report, 3 to remove, 3 to replace. (1 unchanged, 6 requests)
Guard: removes 3 of 7 known usages; up to ${removalsAlwaysAllowed} are allowed.
`.trim(),
    );
  });

  test('of the first report has only what is new', () => {
    expect(render(manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 3] }))).toMatch(
      /\n\nPlan: 3 usages to report\. \(2 requests\)$/,
    );
  });

  test('with only removals says so', () => {
    expect(render(manifestOf({ '/': ['Harbour'] }), [['/', 'Harbour', [7]]])).toBe(
      `Harbour  https://harbour.example/\n  - 7\n\nPlan: 1 usage to remove. (1 request)\nGuard: removes 1 of 1 known usage; up to ${removalsAlwaysAllowed} are allowed.`,
    );
  });

  test('names another project', () => {
    expect(
      render(manifestOf({ '/': ['Harbour', 1] }), [
        ['/', 'Harbour', [1], 'confirmed', { project: 'Museum' }],
      ]),
    ).toContain('~ 1  (project was “Museum”)');
  });

  test('without changes says that there is nothing to do', () => {
    expect(render(manifestOf({ '/': ['Harbour', 1] }), [['/', 'Harbour', [1]]])).toBe(
      'Nothing to report: the service already lists what the pages show. 1 usage, unchanged.',
    );
  });

  test('names blocked removals and the option that allows them', () => {
    const manifest = manifestOf({ '/': ['Harbour', 1] });
    expect(
      render(manifest, [
        ['/', 'Harbour', [1]],
        ['/old/', 'Old', heldIds],
      ]),
    ).toBe(
      `
Old  https://harbour.example/old/
  ! ${heldIds.join(', ')}  (no longer shown; removal held)

Plan: nothing to send. (1 unchanged)
Held: ${heldIds.length} of ${heldIds.length + 1} known usages would be removed, more than the guard allows (${removalsAlwaysAllowed}). They are held until you approve them. If the pages are really gone, build or report once with MEDIA_ASSET_ALLOW_REMOVALS=1 (in CI: the input of your workflow), or run \`media-asset report <folder>\` once with --allow-removals.
`.trim(),
    );
  });

  test("counts the lines that don't fit", () => {
    const pages = Object.fromEntries(
      many(5).map((page) => [`/${page}/`, [`Page ${page}`, ...many(4)] as const]),
    );
    expect(render(manifestOf(pages), [], { maxPages: 2 })).toBe(
      `
Page 1  https://harbour.example/1/
  + 1, 2, 3, 4

Page 2  https://harbour.example/2/
  + 1, 2, 3, 4

… and 3 more pages with 12 usages

Plan: 20 usages to report. (5 requests)
`.trim(),
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
    expect(text).toContain(
      '<b>Home</b>  <dim>https://harbour.example/</dim>\n  <yellow>~</yellow> 1',
    );
    expect(text).toContain('<green>+</green> 2');
    expect(text).toContain('<red>-</red> 3');
  });

  test('lets no page name control the terminal', () => {
    const name = 'Quay\u001b[2J\u0007\nPlan: nothing';
    expect(render(manifestOf({ '/': [name, 1] }))).toMatch(/^Quay \[2J Plan: nothing {2}https/);
  });

  test("lets no page name add a line or change a line's direction", () => {
    const name = '\u202eyauq\u2066 a\u2028- 4711';
    const text = render(manifestOf({ '/': [name, 1], '/quay/': ['Quay', 2] }), [
      ['/quay/', name, [2]],
    ]);
    expect(text).toMatch(/^ yauq {2}a - 4711 {2}https/);
    expect(text).toContain('~ 2  (name was “ yauq  a - 4711”)');
  });

  test('names the assets with known names, each on the line of its page', () => {
    const manifest = manifestOf({ '/': ['Harbour', 4711, 4712, 4713] });
    const name = `Quay\u001b[2J\n::error::red\u202e | ${'a'.repeat(300)}`;
    const names = { '4711': 'The quay at dawn', '4712': name };
    expect(render(manifest, [], { names })).toContain(
      `\n  + 4711 The quay at dawn, 4712 Quay [2J ::error::red  | ${'a'.repeat(34)}…, 4713\n`,
    );
  });

  describe('between a site and a service', () => {
    const manifest = manifestOf({ '/': ['Harbour', ...many(12)], '/quay/': ['The quay', 4712] });
    const known: Known[] = [['/boats/', 'Boats', [4715]]];
    const options = { identity, next: 'media-asset report dist' };

    test('names both, the signs, and pages by their path, and suggests the next step', () => {
      expect(render(manifest, known, options)).toBe(
        `
Usages: https://harbour.example/ → https://media.example

  + report   - remove

Harbour  /
  + 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12

Boats  /boats/
  - 4715  (the page is gone)

The quay  /quay/
  + 4712

Plan: 13 usages to report, 1 to remove. (3 requests)
Guard: removes 1 of 1 known usage; up to ${removalsAlwaysAllowed} are allowed.
Next: media-asset report dist
`.trim(),
      );
    });

    test('only explains the signs that it shows', () => {
      const text = render(manifest, known, { ...options, maxPages: 1 });
      expect(text).toContain('\n  + report\n');
      expect(text).toContain('… and 2 more pages');
    });

    test('without differences suggests no next step', () => {
      const text = render(manifestOf({ '/': ['Harbour', 1] }), [['/', 'Harbour', [1]]], options);
      expect(text).toBe(
        'Usages: https://harbour.example/ → https://media.example\n\nNothing to report: the service already lists what the pages show. 1 usage, unchanged.',
      );
    });
  });
});

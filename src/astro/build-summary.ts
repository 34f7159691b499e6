/** What a build did, for the summary at the end of its log. */
export interface BuildSummary {
  readonly pages: {
    readonly scanned: number;
    readonly redirects: number;
    readonly excluded: number;
  };
  readonly assets: { readonly shown: number; readonly usages: number };
  readonly renditions: { readonly made: number; readonly reused: number };
  readonly requests: {
    readonly checks: number;
    readonly downloads: number;
    readonly stale: number;
  };
  readonly usages: UsageSummary;
  /** On-demand routes, by their pattern. */
  readonly unscanned: readonly string[];
}

export type UsageSummary =
  | {
      readonly kind: 'sent';
      readonly reported: number;
      readonly removed: number;
      readonly requests: number;
      readonly unsent: number;
      readonly held: number;
      /** Why something is unsent. */
      readonly reason: string | undefined;
    }
  | { readonly kind: 'planned'; readonly reason: string; readonly enable: string }
  | { readonly kind: 'off'; readonly reason: string };

/** The summary as lines of text, aligned for people. */
export function buildSummaryLines(summary: BuildSummary): string[] {
  const { pages, assets, renditions, requests, unscanned } = summary;
  const rows: [string, string][] = [
    [
      'pages',
      sentence([
        `${pages.scanned} scanned`,
        pages.redirects > 0 && count(pages.redirects, 'redirect'),
        pages.excluded > 0 && `${pages.excluded} excluded`,
      ]),
    ],
    ['assets', `${count(assets.shown, 'asset')} in ${count(assets.usages, 'usage')}`],
    ['renditions', `${renditions.made} made, ${renditions.reused} reused`],
    [
      'service',
      sentence([
        count(requests.checks, 'check'),
        count(requests.downloads, 'download'),
        requests.stale > 0 && `${count(requests.stale, 'asset')} stale`,
      ]),
    ],
    ...usageRows(summary.usages),
  ];
  if (unscanned.length > 0) {
    rows.push([
      'not scanned',
      `${count(unscanned.length, 'on-demand route')}: ${unscanned.join(', ')}`,
    ]);
  }
  return rows.map(([name, text]) => `${name.padEnd(12)}${text}`);
}

function usageRows(usages: UsageSummary): [string, string][] {
  switch (usages.kind) {
    case 'off':
      return [['usages', usages.reason]];
    case 'planned':
      return [
        ['usages', `not sent: ${usages.reason}`],
        ['', usages.enable],
      ];
    case 'sent': {
      const { reported, removed, requests, unsent, held, reason } = usages;
      const changed = reported + removed + unsent + held > 0;
      const rows: [string, string][] = [
        [
          'usages',
          changed
            ? `${reported} reported, ${removed} removed, in ${count(requests, 'request')}`
            : 'nothing changed, no request sent',
        ],
      ];
      if (held > 0) rows.push(['held', `${count(held, 'removal')}, more than the guard allows`]);
      if (unsent > 0)
        rows.push(['unsent', `${count(unsent, 'usage')}${reason ? `: ${reason}` : ''}`]);
      return rows;
    }
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function sentence(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(', ');
}

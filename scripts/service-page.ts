import { clientOptionsTable } from './options-table.ts';

/** What a run of test/service/contract.test.ts has written. */
interface ContractOutcomes {
  /** Those that ran for every row. */
  readonly methods: readonly string[];
  readonly rows: readonly {
    readonly unknown: string;
    readonly note?: string;
    readonly own?: readonly string[];
    readonly variants: readonly {
      readonly variant: string;
      /** The methods that did not work, and how they ended. */
      readonly ended: Readonly<Record<string, string>>;
    }[];
  }[];
}

/**
 * `docs/reference/service.md` with its tables made anew: the client's options from the text of their schema, and
 * its contract from the outcomes of the contract's test run.
 */
export function servicePage(
  page: string,
  { options, outcomes }: { options: string; outcomes: string },
): string {
  const parts = {
    options: clientOptionsTable(options),
    contract: contractTable(JSON.parse(outcomes) as ContractOutcomes),
  };
  return Object.entries(parts).reduce((text, [name, made]) => {
    const part = new RegExp(`(<!-- ${name}: [^>]* -->\\n).*?(<!-- end -->)`, 's');
    if (!part.test(text))
      throw new Error(`docs/reference/service.md has no place for its ${name}.`);
    return text.replace(part, (_, start, end) => `${start}\n${made}\n\n${end}`);
  }, page);
}

function contractTable({ methods, rows }: ContractOutcomes): string {
  const lines = rows.flatMap(({ unknown, own = [], variants }) =>
    variants.flatMap(({ variant, ended }) =>
      linesOf([...methods, ...own], ended).map(([method, outcome], index) => [
        index === 0 ? unknown : '',
        index === 0 ? variant : '',
        method,
        outcome,
      ]),
    ),
  );
  const table = [
    ['not shown', 'answer', 'method', 'outcome'],
    ['---', '---', '---', '---'],
    ...lines,
  ]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
  const notes = rows.flatMap(({ unknown, note }) => (note ? [`- ${unknown}: ${note}`] : []));
  const every = methods.map((method) => `\`${method}\``).join(', ');
  return [`Every method: ${every}.`, table, notes.join('\n')].join('\n\n');
}

/** A line for each method that ends in its own way, and one for all others. */
function linesOf(
  methods: readonly string[],
  ended: Readonly<Record<string, string>>,
): [method: string, outcome: string][] {
  const outcomes = methods.map((method) => ended[method] ?? 'works');
  const countOf = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  const usual = [...new Set(outcomes)].sort((one, other) => countOf(other) - countOf(one))[0] ?? '';
  const unusual = methods.filter((_, index) => outcomes[index] !== usual);
  return [
    ...unusual.map((method): [string, string] => [
      `\`${method}\``,
      outcomeText(ended[method] ?? 'works'),
    ]),
    [unusual.length === 0 ? 'every method' : 'every other method', outcomeText(usual)],
  ];
}

/** A code is code; other outcomes are words. */
function outcomeText(outcome: string): string {
  return outcome.includes('-') ? `\`${outcome}\`` : outcome;
}

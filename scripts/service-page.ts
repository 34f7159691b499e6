import { clientOptionsTable } from './options-table.ts';

/** The result of a run of test/service/contract.test.ts. */
interface ContractOutcomes {
  /** The methods that ran for every row. */
  readonly methods: readonly string[];
  readonly rows: readonly {
    readonly unknown: string;
    readonly note?: string;
    readonly own?: readonly string[];
    readonly variants: readonly {
      readonly variant: string;
      /** The methods that failed, with their results. */
      readonly ended: Readonly<Record<string, string>>;
    }[];
  }[];
}

/**
 * `docs/reference/service.md` with new tables: the client's options from the text of their schema,
 * and its contract from the results of the contract's test run.
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
  const lines = rows.flatMap(({ unknown, own = [], variants }) => {
    // Answers with the same results share a row.
    const groups = new Map<string, string[]>();
    for (const { variant, ended } of variants) {
      const outcome = outcomeOf([...methods, ...own], ended);
      groups.set(outcome, [...(groups.get(outcome) ?? []), variant]);
    }
    return [...groups].map(([outcome, answers]) => [unknown, answers.join('<br>'), outcome]);
  });
  const table = [['not shown', 'answers', 'outcome'], ['---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
  const notes = rows.flatMap(({ unknown, note }) => (note ? [`- ${unknown}: ${note}`] : []));
  const every = methods.map((method) => `\`${method}\``).join(', ');
  return [`The methods: ${every}.`, table, notes.join('\n')].join('\n\n');
}

/** The result of most methods, after those with their own. */
function outcomeOf(methods: readonly string[], ended: Readonly<Record<string, string>>): string {
  const outcomes = methods.map((method) => ended[method] ?? 'works');
  const countOf = (outcome: string) => outcomes.filter((each) => each === outcome).length;
  const usual = [...new Set(outcomes)].sort((one, other) => countOf(other) - countOf(one))[0] ?? '';
  const unusual = methods.filter((_, index) => outcomes[index] !== usual);
  return [
    ...unusual.map((method) => `\`${method}\`: ${outcomeText(ended[method] ?? 'works')}`),
    `${unusual.length > 0 ? 'others: ' : ''}${outcomeText(usual)}`,
  ].join('<br>');
}

/** Codes are formatted as code. */
function outcomeText(outcome: string): string {
  return outcome.includes('-') ? `\`${outcome}\`` : outcome;
}

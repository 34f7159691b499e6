import { contractTable, expectedOutcomes, methodsOf } from '../test/service/contract-table.ts';
import { clientOptionsTable } from './options-table.ts';

/**
 * `docs/reference/service.md` with new tables: the client's options from the text of their schema,
 * and its contract from the table of its test.
 */
export function servicePage(page: string, options: readonly string[]): string {
  const parts = { options: clientOptionsTable(options), contract: contractText() };
  return Object.entries(parts).reduce((text, [name, made]) => {
    const part = new RegExp(`(<!-- ${name}: [^>]* -->\\n).*?(<!-- end -->)`, 's');
    if (!part.test(text))
      throw new Error(`docs/reference/service.md has no place for its ${name}.`);
    return text.replace(part, (_, start, end) => `${start}\n${made}\n\n${end}`);
  }, page);
}

function contractText(): string {
  // The codes of errors explain themselves.
  const lines = contractTable
    .filter(({ unknown }) => unknown !== 'errors')
    .flatMap((row) => {
      // Answers with the same results share a row.
      const groups = Map.groupBy(row.variants, (variant) =>
        outcomeOf(Object.entries(expectedOutcomes(row, variant))),
      );
      return Array.from(groups, ([outcome, same]) => [
        row.unknown,
        answersText(same.map(({ variant }) => variant)),
        outcome,
      ]);
    });
  const works = lines.filter(([, , outcome]) => outcome === 'works');
  const others = lines.filter(([, , outcome]) => outcome !== 'works');
  const list = works.map(([unknown, answers]) => `- ${unknown}: ${answers}`).join('\n');
  const failing = others
    .map(([unknown, answers, outcome]) => `- ${unknown} (${answers}): ${outcome}`)
    .join('\n');
  const notes = contractTable.flatMap(({ unknown, note }) =>
    note ? [`- ${unknown}: ${note}`] : [],
  );
  const every = methodsOf({})
    .map((method) => `\`${method}\``)
    .join(', ');
  return [
    `The methods: ${every}. All of them work with these:`,
    list,
    'With these, the methods that a line names fail, or all if it names none:',
    failing,
    notes.join('\n'),
  ].join('\n\n');
}

/** Variants that combine each beginning with each end name both once. */
function answersText(variants: readonly string[]): string {
  const parts = variants.map((variant) =>
    variant.split(/, (?=[^,]*$)| (?=with (?:JSON|text|HTML|nothing)$)/),
  );
  const starts = [...new Set(parts.map(([start = '']) => start))];
  const ends = [...new Set(parts.map(([, end = '']) => end))];
  if (starts.length * ends.length !== variants.length || variants.length === 1 || ends[0] === '')
    return variants.join('; ');
  const each = ends.map((end, index) => (index > 0 ? end.replace(/^with /, '') : end)).join(', ');
  return starts.length > 1 ? `${starts.join(', ')}; each ${each}` : `${starts[0]} ${each}`;
}

/** The result of most methods, after those with their own. */
function outcomeOf(outcomes: readonly (readonly [method: string, outcome: string])[]): string {
  const countOf = (outcome: string) => outcomes.filter(([, each]) => each === outcome).length;
  const all = [...new Set(outcomes.map(([, outcome]) => outcome))];
  const usual = all.sort((one, other) => countOf(other) - countOf(one))[0] ?? '';
  const unusual = outcomes.filter(([, outcome]) => outcome !== usual);
  return [
    ...unusual.map(([method, outcome]) => `\`${method}\`: ${outcomeText(outcome)}`),
    ...(unusual.length === 0 ? [outcomeText(usual)] : []),
    ...(unusual.length > 0 && usual !== 'works' ? [`others: ${outcomeText(usual)}`] : []),
  ].join('; ');
}

/** Codes are formatted as code. */
function outcomeText(outcome: string): string {
  return outcome.includes('-') ? `\`${outcome}\`` : outcome;
}

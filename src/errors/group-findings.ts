import type { Finding } from './errors.ts';

/** How many findings of one kind are shown. */
const mostShown = 5;

/**
 * Findings as people are shown them: those with the same code and hint are one, with their number and
 * the first five, each of another place if there are as many. JSON has them all.
 */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ severity, code, hint }) => `${severity} ${code} ${hint}`);
  return Array.from(groups.values(), (group) => {
    const [first] = group as [Finding];
    return group.length === 1 ? first : { ...first, message: groupMessage(group, first.severity) };
  });
}

function groupMessage(group: readonly Finding[], severity: Finding['severity']): string {
  const ofPlaces = [...Map.groupBy(group, ({ place }) => place).values()].flatMap(
    ([one]) => one ?? [],
  );
  const shown = [...new Set([...ofPlaces, ...group])].slice(0, mostShown);
  const more = group.length - shown.length;
  return [
    `${group.length} similar ${severity}s:`,
    ...shown.map(({ message }) => `  - ${message.replaceAll('\n', '\n    ')}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n');
}

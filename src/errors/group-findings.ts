import type { Finding } from './errors.ts';

/** The number of messages shown per group. */
const mostShown = 5;

/** Groups findings for people by severity, code and hint: their number and up to five messages. */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ severity, code, hint }) => `${severity} ${code} ${hint}`);
  return Array.from(groups.values(), (group) => {
    const [first] = group as [Finding];
    return group.length === 1 ? first : { ...first, message: groupMessage(group, first.severity) };
  });
}

function groupMessage(group: readonly Finding[], severity: Finding['severity']): string {
  const subjectOf = ({ page, place, asset }: Finding) => JSON.stringify([page, place, asset]);
  const ofSubjects = [...Map.groupBy(group, subjectOf).values()].flatMap(([one]) => one ?? []);
  const shown = [...new Set([...ofSubjects, ...group])].slice(0, mostShown);
  const more = group.length - shown.length;
  return [
    `${group.length} similar ${severity}s:`,
    ...shown.map(({ message }) => `  - ${message.replaceAll('\n', '\n    ')}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n');
}

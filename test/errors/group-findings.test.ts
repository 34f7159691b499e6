import { expect, test } from 'vitest';
import { type Finding, finding } from '../../src/errors/errors.ts';
import { groupFindings } from '../../src/errors/group-findings.ts';

const unreadable = (page: string, value: string, severity: Finding['severity'] = 'warning') =>
  finding(severity, 'asset-id-invalid', { page, value });

test('leaves a single finding unchanged', () => {
  const found = unreadable('/a/', 'old');
  expect(groupFindings([found])).toEqual([found]);
});

test('shows up to five findings of one kind with one hint', () => {
  const [group, ...others] = groupFindings(
    ['a', 'b'].map((page) => unreadable(`/${page}/`, 'old')),
  );
  expect(others).toEqual([]);
  expect(group).toMatchObject({ code: 'asset-id-invalid', severity: 'warning', page: '/a/' });
  expect(group?.message.split('\n')).toEqual([
    '2 similar warnings:',
    '  - /a/: "old" isn\'t an asset ID.',
    '  - /b/: "old" isn\'t an asset ID.',
  ]);
});

test('counts more than five findings, and shows the first one of five pages', () => {
  const found = Array.from({ length: 5000 }, (_, n) =>
    unreadable(`/${Math.floor(n / 100)}/`, `old${n}`),
  );
  expect(groupFindings(found).map(({ message }) => message.split('\n'))).toEqual([
    [
      '5000 similar warnings:',
      '  - /0/: "old0" isn\'t an asset ID.',
      '  - /1/: "old100" isn\'t an asset ID.',
      '  - /2/: "old200" isn\'t an asset ID.',
      '  - /3/: "old300" isn\'t an asset ID.',
      '  - /4/: "old400" isn\'t an asset ID.',
      '  … and 4995 more',
    ],
  ]);
});

test('shows five findings even if they come from fewer pages', () => {
  const found = ['/a/', '/a/', '/a/', '/a/', '/a/', '/b/'].map((page, n) =>
    unreadable(page, `${n}`),
  );
  const [group] = groupFindings(found);
  expect(group?.message.match(/"\d"/g)).toEqual(['"0"', '"5"', '"1"', '"2"', '"3"']);
  expect(group?.message).toContain('… and 1 more');
});

test('keeps findings with different severities, codes or hints apart', () => {
  const found = [
    unreadable('/a/', 'old'),
    finding('notice', 'ledger-missing', {}),
    unreadable('/b/', 'old', 'error'),
    { ...unreadable('/c/', 'old'), hint: 'Another.' },
  ];
  expect(groupFindings(found)).toEqual(found);
});

test('shows a message of several lines as one entry of the list', () => {
  const assets = [4711, 4712].map((id) => ({ id, reason: 404, asked: [{ page: '/a/' }] }));
  const found = finding('warning', 'asset-withdrawn', { assets });
  const [group] = groupFindings([found, { ...found }]);
  const entry = found.message.split('\n').join('\n    ');
  expect(group?.message).toBe(`2 similar warnings:\n  - ${entry}\n  - ${entry}`);
});

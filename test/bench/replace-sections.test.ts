import { expect, test } from 'vitest';
import { replaceSections } from '../../bench/replace-sections.ts';

test('a new measurement replaces the section of its subject; others stay, in order', () => {
  const text = '# Results\n\n## plan\n\nOld.\n\n## gone\n\nOld.\n\n## images\n\nOld.\n';
  const measured = new Map([
    ['scan', '## scan\n\nNew.'],
    ['plan', '## plan\n\nNew.'],
  ]);
  expect(replaceSections(text, measured, ['scan', 'plan', 'images'])).toBe(
    '# Results\n\n## scan\n\nNew.\n\n## plan\n\nNew.\n\n## images\n\nOld.\n',
  );
});

import { expect, test } from 'vitest';
import { seal, unseal } from '../../src/storage/seal.ts';

const own = { secret: 'a key of sixteen or more', purpose: 'tokens' };
const text = 'a refresh token';

/** Sealed by version 0.1.0. */
const earlier = 'NxMbM8xkGWtVL6uVjxLjrjyHLCrPXrAoWwiLpY5P7O7xLBkKfpH6aJK3OosrXMsJ60vxRGl6CjpaJd8=';

test('what an earlier version has sealed can be read', async () => {
  expect(String(await unseal(earlier, own))).toBe(text);
});

test.each([
  ['another secret', earlier, { ...own, secret: 'another key of sixteen' }],
  ['another purpose', earlier, { ...own, purpose: 'originals' }],
  ['a changed byte', `${earlier.startsWith('A') ? 'B' : 'A'}${earlier.slice(1)}`, own],
  ['a cut end', earlier.slice(0, -8), own],
])("can't be read with %s", async (_, sealed, who) => {
  await expect(unseal(sealed, who)).rejects.toThrow();
});

test('the same text is sealed differently each time', async () => {
  const [one, other] = await Promise.all([0, 1].map(() => seal(Buffer.from(text), own)));
  expect(one).not.toBe(other);
  expect(String(await unseal(one ?? '', own))).toBe(text);
});

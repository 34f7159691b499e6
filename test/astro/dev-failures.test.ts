import { beforeEach, expect, test } from 'vitest';
import { createDevFailures, type DevFailures } from '../../src/astro/dev-failures.ts';
import { type Finding, finding } from '../../src/errors.ts';

let now: number;
let log: Finding[];
let failures: DevFailures;

beforeEach(() => {
  now = 0;
  log = [];
  failures = createDevFailures(
    (found) => log.push(found),
    () => now,
  );
});

function failure(id: number, place = '/quay/') {
  const assets = [{ id, status: 404, pages: [place] }];
  return { ...finding('error', 'asset-unknown', place, { assets }), id };
}

test('a failure is in the overlay of the page that is opened next, and of no later one', () => {
  failures.failed(failure(4711));
  expect(failures.take()).toMatchObject({ name: 'asset-unknown' });
  expect(failures.take()).toBeUndefined();
});

test('is in no overlay again until the page has shown the asset, or the failure is another one', () => {
  failures.failed(failure(4711));
  failures.take();
  failures.failed(failure(4711));
  expect(failures.take()).toBeUndefined();
  failures.failed({ ...failure(4711), message: 'another' });
  expect(failures.take()).toMatchObject({ message: 'another' });
  failures.shown('/quay/', 4711);
  failures.failed({ ...failure(4711), message: 'another' });
  expect(failures.take()).toMatchObject({ message: 'another' });
});

test('what a service says is text in the overlay', () => {
  const said = '<img src=x onerror="alert(1)">';
  failures.failed({ ...failure(4711), message: said });
  const shown = failures.take();
  expect(shown?.message).toBe('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
  expect(shown?.stack).toBe(said);
});

test('all failures of a page are in one overlay, each once', () => {
  for (const id of [4711, 4712, 4711]) failures.failed(failure(id));
  expect(failures.take()?.message.match(/asset \d+/g)).toEqual(['asset 4711', 'asset 4712']);
});

test('of several failures each has its own hint', () => {
  failures.failed(failure(4711));
  const tooLarge = { what: 'asset 4712', limit: 100 };
  failures.failed({ ...finding('error', 'file-too-large', '/quay/', tooLarge), id: 4712 });
  const shown = failures.take();
  for (const { hint } of log) expect(shown?.stack).toContain(hint);
  expect(shown).toMatchObject({
    title: 'The page is shown without some assets.',
    hint: 'Escape closes this.',
  });
});

test('a page that no browser has opened leaves nothing for the next one', () => {
  failures.failed(failure(4711));
  now = 10_001;
  expect(failures.take()).toBeUndefined();
});

test('a failure is logged once, until the page shows the asset again', () => {
  failures.failed(failure(4711));
  failures.failed(failure(4711));
  expect(log).toHaveLength(1);
  failures.failed(failure(4711, '/other/'));
  expect(log.map(({ place }) => place)).toEqual(['/quay/', '/other/']);
  failures.shown('/quay/', 4711);
  failures.failed(failure(4711));
  expect(log).toHaveLength(3);
});

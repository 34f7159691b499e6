import { expect, test } from 'vitest';
import type { Finding } from '../../../src/errors/errors.ts';
import { json, scriptedClient, startScriptedService } from '../scripted-service.ts';

const now = Date.UTC(2026, 5, 10, 12);
const hour = 60 * 60 * 1000;

/** Asks a service whose answers have this `Date`, on a machine whose clock says `now`. */
async function ask(date: string, headers: Record<string, string> = {}) {
  const findings: Finding[] = [];
  const service = await startScriptedService({
    respond(response) {
      response.setHeader('date', date);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      json(response, []);
    },
    token(response) {
      response.setHeader('date', new Date(now).toUTCString());
      json(response, { access_token: 'token-1' });
    },
  });
  const client = scriptedClient(service.url, {
    clock: () => now,
    onFinding: (found) => findings.push(found),
  });
  await client.folders.tree();
  await client.folders.tree();
  return { ahead: client.clockAhead() / hour, messages: findings.map(({ message }) => message) };
}

const at = (hours: number) => new Date(now + hours * hour).toUTCString();

test.each([
  [0, 0, undefined],
  [23, 0, undefined],
  [-24, 0, undefined],
  [
    24.01,
    24.01,
    "The service's clock is 1 day ahead of this machine's. Rights end by the later one.",
  ],
  [72, 72, "The service's clock is 3 days ahead of this machine's. Rights end by the later one."],
  [-72, 0, "The service's clock is 3 days behind this machine's. Rights end by the later one."],
])(
  'a `Date` %d hours from our clock is %d hours ahead, with the warning: %s',
  async (hours, ahead, message) => {
    expect(await ask(at(hours))).toEqual({ ahead, messages: message ? [message] : [] });
  },
);

test.each([
  ['a date that is none', 'today', {}],
  ['the date of an answer that a cache has kept', at(-72), { age: '259200' }],
])('%s says nothing', async (_, date, headers) => {
  expect(await ask(date, headers)).toEqual({ ahead: 0, messages: [] });
});

test('a cache that has kept nothing hides no difference', async () => {
  expect(await ask(at(72), { age: '0' })).toMatchObject({
    ahead: 72,
    messages: [expect.stringContaining('3 days ahead')],
  });
});

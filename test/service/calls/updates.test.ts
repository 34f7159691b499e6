import { describe, expect, test } from 'vitest';
import {
  failureOf,
  json,
  ok,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';

describe('an update', () => {
  test.for<[string, Respond, unknown]>([
    ['nothing', ok, undefined],
    ['204', status(204), undefined],
    ['plain text', (to) => void to.end('OK'), undefined],
    ['null', (to) => json(to, null), undefined],
    ['an object', (to) => json(to, { id: 7, name: 'Quay' }), { id: 7, name: 'Quay' }],
    ['an array of one', (to) => json(to, [{ id: '7' }]), { id: 7 }],
    ['an object without an id', (to) => json(to, { result: 'done' }), undefined],
  ])('accepts %s as its answer', async ([, update, found]) => {
    const service = await startScriptedService({ respond: update });
    const answer = await scriptedClient(service.url).files.update(7, { alttext: 'The quay' });
    if (found === undefined) expect(answer).toBeUndefined();
    else expect(answer).toMatchObject(found as object);
    expect(service.requests[0]).toMatchObject({
      method: 'PUT',
      url: '/1/file/7',
      body: '{"alttext":"The quay"}',
    });
  });

  test.for<[string, string, Respond]>([
    ['answer-html', 'an HTML page', (to) => void to.end('<!doctype html>')],
    ['answer-unexpected', 'two records', (to) => json(to, [{ id: 1 }, { id: 2 }])],
    ['answer-unexpected', 'an empty list', (to) => json(to, [])],
  ])('fails with %s after %s', async ([code, , update]) => {
    const service = await startScriptedService({ respond: update });
    const work = scriptedClient(service.url).files.update(7, { alttext: 'x' });
    expect(await failureOf(work)).toMatchObject({ code });
  });
});

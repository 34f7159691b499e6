import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sendRequest } from '../../../src/service/http/send-request.ts';
import { appending, overwriting } from '../../support/ledger/service-model.ts';
import { manyPages, pairsOf } from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite } from '../../support/ledger/usage-site.ts';
import { tokenClient } from '../../support/service/token-client.ts';
import { failureOf, usage } from '../scripted-service.ts';

interface RawRequest {
  readonly method: string;
  readonly body: string;
  /** From 0, on its connection. */
  readonly turn: number;
}

/**
 * A server that answers the requests that it may. On any other, it closes the connection without a
 * byte, as servers close an idle one while a request is on its way, or sends only a part of an answer.
 */
async function closingService(mayAnswer: (request: RawRequest) => boolean, half?: string) {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    let turn = 0;
    socket.setEncoding('latin1').on('error', () => {});
    socket.on('data', (part) => {
      text += part;
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      text = '';
      const request = { method: head.split(' ', 1)[0] ?? '', body, turn };
      requests.push(request);
      turn += 1;
      if (!mayAnswer(request))
        return half === undefined ? void socket.destroy() : socket.write(half);
      const answer = request.method === 'GET' ? '[{"id":1}]' : '';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = tokenClient(url, 'token', {
    random: () => 0,
    ...(half !== undefined && { timeLimit: 200 }),
  });
  return { requests, url, client, connections: () => sockets.size };
}

const once = ({ turn }: RawRequest) => turn === 0;

describe('a service that closes idle connections', () => {
  test('gets each usage in the first run, and no report twice without a removal', async () => {
    const { requests, client } = await closingService(once);
    await client.folders.tree();
    const { report } = await openUsageSite();
    const result = await report(manyPages(40), { service: client, concurrency: 8 });
    expect(result).toMatchObject({ reported: 40, removed: 0, unsent: 0, outcome: 'done' });
    const posts = requests.flatMap(({ method, body, turn }) =>
      method === 'POST' ? [{ ...JSON.parse(body), isAnswered: turn === 0 }] : [],
    );
    for (const [page, sent] of Map.groupBy(posts, ({ web }) => web.page)) {
      const reports = sent.filter(({ removed }) => removed === 'false');
      expect([page, reports.map((one) => one.isAnswered)]).toEqual([
        page,
        sent.length === 1 ? [true] : [false, true],
      ]);
      // The removal comes before the second report.
      if (sent.length > 1) expect(sent.at(-2)).toMatchObject({ removed: 'true', isAnswered: true });
    }
    expect(posts.length).toBeLessThanOrEqual(40 + 3 * 8);
  });

  test('answers a call again on a new connection, however many it has closed', async () => {
    const { requests, client } = await closingService(once);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => client.folders.tree()));
    expect(await client.folders.tree()).toHaveLength(1);
    expect(requests.map(({ turn }) => turn)).toEqual([0, 0, 0, 0, 0, 0, 1, 0]);
  });

  test("gets an upload's record on a new connection", async () => {
    const { requests, client } = await closingService(once);
    await client.folders.tree();
    const upload = client.files.upload(Buffer.from('x'), { filename: 'a.txt', folder: 1 });
    expect(await failureOf(upload)).toMatchObject({ code: 'upload-unanswered' });
    // It was answered, without the URL.
    expect(requests.map(({ method, turn }) => `${method} ${turn}`)).toEqual(['GET 0', 'POST 0']);
  });
});

test.for([appending, overwriting])(
  'a service ($repeated) that processes a report and closes the idle connection lists it once',
  async (semantics) => {
    const { report, server } = await openUsageSite({ semantics });
    server.treat = (_, index) => (index === 5 ? 'lost' : 'done');
    const shown = manyPages(20);
    const service = tokenClient(server.url, 'token', { random: () => 0 });
    expect(await report(shown, { service, concurrency: 1 })).toMatchObject({ unsent: 0 });
    expect(server.model.list()).toEqual(pairsOf(shown));
    expect(server.log).toHaveLength(20 + 2);
    expect(await report(shown, { service })).toMatchObject({ requests: 0 });
  },
);

test('a report that a new connection loses is sent once, and is in doubt', async () => {
  const { requests, client } = await closingService(({ method }) => method === 'GET');
  const code = { code: 'service-unreachable', effect: 'unknown', wasIdle: false };
  expect(await failureOf(client.usages.report(usage))).toMatchObject(code);
  expect(requests.map(({ method, turn }) => `${method} ${turn}`)).toEqual(['POST 0']);
});

test('a report that an idle connection loses is sent once, and the next ones get new connections', async () => {
  const { requests, client } = await closingService(once);
  await client.folders.tree();
  const code = { code: 'service-unreachable', effect: 'unknown', wasIdle: true };
  expect(await failureOf(client.usages.report(usage))).toMatchObject(code);
  await client.usages.report(usage);
  await client.usages.report(usage);
  await client.usages.report({ ...usage, removed: true });
  const sent = requests.map(({ method, turn }) => `${method} ${turn}`);
  expect(sent).toEqual(['GET 0', 'POST 1', 'POST 0', 'POST 0', 'POST 0']);
});

test('a part of an answer, or none in time, is no closed idle connection', async () => {
  const partly = await closingService(once, 'HTTP/1.1 200 OK\r\nContent-Le');
  const silent = await closingService(once, '');
  for (const { client } of [partly, silent]) {
    await client.folders.tree();
    expect(await failureOf(client.usages.report(usage))).toMatchObject({ wasIdle: false });
  }
});

test('requests share a connection that stays open', async () => {
  const { client, connections } = await closingService(() => true);
  await client.folders.tree();
  for (const removed of [false, true, false]) await client.usages.report({ ...usage, removed });
  expect(connections()).toBe(1);
});

test('a new connection leaves the idle ones of other hosts open', async () => {
  const [one, other] = [await closingService(once), await closingService(() => true)];
  await other.client.folders.tree();
  for (let turn = 0; turn < 3; turn += 1) await one.client.folders.tree();
  await other.client.folders.tree();
  expect([one.connections(), other.connections()]).toEqual([3, 1]);
});

test.each([
  { scheme: 'http', agent: http.globalAgent },
  { scheme: 'https', agent: https.globalAgent },
])(
  'a new connection to the default port of $scheme closes the idle ones',
  async ({ scheme, agent }) => {
    const { url, requests } = await closingService(once);
    const { port } = new URL(url);
    const dial = vi.spyOn(agent, 'createConnection');
    onTestFinished(() => dial.mockRestore());
    dial.mockImplementation(() => connect(Number(port), '127.0.0.1'));
    const request = async (isFresh: boolean) => {
      const signal = AbortSignal.timeout(10_000);
      const address = new URL(`${scheme}://service.example/`);
      await (await sendRequest(address, { isFresh, signal })).text();
    };
    await Promise.all([request(false), request(false)]);
    await request(true);
    await expect(request(false)).rejects.toThrow('idle');
    expect(requests.map(({ turn }) => turn)).toEqual([0, 0, 0, 1]);
  },
);

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createSecureServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identity } from '../../support/ledger/usage-fixtures.ts';
import { findRedis, type RedisServer, startRedis } from '../../support/process/start-redis.ts';

const program = `
  const { openRedisStore } = await import(process.argv[1]);
  const { url, identity, patience } = JSON.parse(process.argv[2]);
  await openRedisStore({ url, identity, patience }).read().then(
    () => console.log('read'),
    ({ code }) => console.log(code),
  );
`;
function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=redis'],
    ],
    { stdio: 'ignore' },
  );
  const found = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return found;
}

const module = import.meta.resolve('../../support/ledger/open-redis-store.ts');

/** Reads a ledger in a process of its own. The process must end although nothing ends it. */
async function readIn(url: string, patience: number) {
  const order = JSON.stringify({ url, identity, patience });
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, order], {
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  const said = text(child.stdout);
  const [code, signal] = await once(child, 'close');
  return { said: (await said).trim(), code, signal };
}

describe.skipIf(!findRedis())('a process ends by itself', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test('with its connection to Redis', async () => {
    expect(await readIn(redis.url, 20_000)).toEqual({ said: 'read', code: 0, signal: null });
  });

  test('if Redis accepts the connection after the process has given up', async () => {
    const { key, cert } = certificate();
    const secured = createSecureServer({ key, cert }, (socket) => {
      const to = createConnection(redis.port, '127.0.0.1');
      for (const one of [socket, to]) one.on('error', () => {});
      socket.pipe(to).pipe(socket);
    });
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      setTimeout(() => secured.emit('connection', socket), 580);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await readIn(`rediss://127.0.0.1:${port}`, 600)).toEqual({
      ...{ said: 'store-unreachable', code: 0, signal: null },
    });
    server.close();
  });
});

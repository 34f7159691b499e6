import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

/** A Redis of the test, on a port of 127.0.0.1. */
export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/**
 * Whether redis-server is installed. Warns if it isn't.
 *
 * @throws if `REQUIRE_REDIS=1` and it isn't installed
 */
export function findRedis(): boolean {
  const found = spawnSync('redis-server', ['--version']).status === 0;
  if (found) return true;
  const missing = 'There is no redis-server on the PATH (Debian: apt-get install redis-server).';
  if (process.env.REQUIRE_REDIS === '1') throw new Error(missing);
  console.warn(`${missing} The tests on Redis are skipped.`);
  return false;
}

export async function startRedis({
  password,
  data,
  port: given,
}: {
  /** Default: none. */
  password?: string;
  /** A folder where it keeps every write, and finds the data of an earlier one. */
  data?: string;
  /** Default: a free port. Pass the earlier one to start the same store again. */
  port?: number;
} = {}) {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'redis-')));
  const port = given ?? (await freePort());
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: data === undefined ? 'no' : 'yes',
    appendfsync: 'always',
    ...(password !== undefined && { requirepass: password }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const said: string[] = [];
  let isReady = false;
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    isReady = line.includes('Ready to accept connections');
    if (isReady) break;
  }
  if (!isReady) {
    await ended;
    throw new Error(`redis-server has ended:\n${said.join('\n')}`);
  }
  child.stdout.resume();
  return {
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    port,
    /** Pauses it at any point, so that it neither answers nor closes connections. */
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    /** Ends it at once, like a machine that fails. */
    async stop() {
      child.kill('SIGKILL');
      await ended;
      if (data === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

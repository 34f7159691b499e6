import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The first free port of 127.0.0.1, starting at `first`. In order and not at random, because the
 * ledger belongs to the service's URL, and the next run should find it again.
 */
export async function findFreePort(first: number): Promise<number> {
  for (let port = first; port < first + 50; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${first} to ${first + 49} is free on 127.0.0.1.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

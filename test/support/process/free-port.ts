import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * An unused port of 127.0.0.1. It's below the ephemeral ports, so the system doesn't assign it
 * before it's used, or while its server is stopped.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

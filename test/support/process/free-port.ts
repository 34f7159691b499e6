import { findFreePort } from '../../../playground/scripts/processes/free-port.ts';

/**
 * An unused port of 127.0.0.1. It's below the ephemeral ports, so the system doesn't assign it
 * before it's used, or while its server is stopped.
 */
export const freePort = (): Promise<number> =>
  findFreePort(20_000 + Math.floor(Math.random() * 12_000));

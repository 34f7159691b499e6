import type { RedisConnection } from './redis-connection.ts';

const renewScript = `
local owner = redis.call('GET', KEYS[1])
if owner == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return owner or ''`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return ''`;

/** A lease in Redis. It expires by the clock of Redis. Owners are texts from `newOwner`. */
export interface RedisLease {
  /** Returns whether the lease was free. */
  take(own: string): Promise<boolean>;
  owner(): Promise<string | undefined>;
  /** Extends the lease if `own` owns it. @returns the current owner */
  renew(own: string): Promise<string | undefined>;
  /** Never fails. A remaining lease expires. */
  release(own: string): Promise<void>;
  /**
   * Runs a script atomically.
   *
   * @param keys follow the lease, which is `KEYS[1]`
   * @param values follow the owner, which is `ARGV[1]`
   * @returns the script's result, as text
   */
  run(script: string, own: string, keys: string[], values: string[]): Promise<string>;
}

export function redisLease({
  connection,
  key,
  expiry,
  refused,
}: {
  connection: RedisConnection;
  key: string;
  /** A lease that isn't renewed expires after this time, in ms. */
  expiry: number;
  refused: (cause: unknown) => Error;
}): RedisLease {
  async function run(script: string, own: string, keys: string[], values: string[]) {
    const given = { keys: [key, ...keys], arguments: [own, ...values] };
    return connection.use(async (client) => String(await client.eval(script, given)), refused);
  }

  return {
    run,
    async take(own) {
      const expiration = { type: 'PX', value: expiry } as const;
      const taken = await connection.use(
        (client) => client.set(key, own, { condition: 'NX', expiration }),
        refused,
      );
      return taken !== null;
    },
    async owner() {
      const owner = await connection.use((client) => client.get(key), refused);
      return owner?.toString();
    },
    async renew(own) {
      return (await run(renewScript, own, [], [String(expiry)])) || undefined;
    },
    async release(own) {
      await run(releaseScript, own, [], []).catch(() => {});
    },
  };
}

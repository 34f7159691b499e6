import { createHash } from 'node:crypto';
import { unescape as decode } from 'node:querystring';
import { beatOf, newOwner, startHeartbeat } from './lease.ts';

const renewScript = `
local owner = redis.call('GET', KEYS[1])
if owner == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return owner or ''`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return ''`;

/** Replaces or removes the value if the lease is ours and the tag fits. Or returns the owner. */
const writeScript = `
local owner = redis.call('GET', KEYS[1])
if owner ~= ARGV[1] then return owner or '' end
local value = redis.call('GET', KEYS[2])
if (value and redis.sha1hex(value) or '') ~= ARGV[3] then return 'changed' end
if ARGV[4] == '' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], ARGV[4]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'written'`;

type ToError = (cause: unknown) => Error;

/**
 * A value in Redis that one process at a time may change, under a lease. Redis runs the scripts one at
 * a time, and the lease expires by its clock.
 */
export function redisValue(given: {
  /** May hold a password, which appears in no name and no error. */
  url: string;
  key: string;
  leaseKey: string;
  /** A lease that isn't renewed expires after this time, in ms. */
  expiry: number;
  /** Time limit for connecting and a command together, in ms. */
  patience?: number;
  errorsOf: (name: string) => {
    readonly busy: (owner: string) => Error;
    /** `owner` is `undefined` if the lease is gone. */
    readonly lost: (owner: string | undefined) => Error;
    readonly changed: () => Error;
    readonly unreadable: ToError;
    readonly unwritable: ToError;
    /** If Redis can't be reached or doesn't answer in time. */
    readonly unreachable: ToError;
    readonly packageMissing: ToError;
  };
}) {
  const { url, key, leaseKey, expiry, patience = 10_000, errorsOf } = given;
  // Without the port: if the URL lacks its host, it's the start of the password.
  const { protocol, hostname } = new URL(url);
  const name = `${protocol}//${hostname} ${key}`;
  const { busy, lost, changed, unreadable, unwritable, ...failures } = errorsOf(name);
  const connection = redisConnection({ url, patience });
  /** The signal of the lock: what begins after it doesn't wait long. */
  let hurry: AbortSignal | undefined;

  /** `refused` creates the error if Redis answers with one. */
  async function use<T>(act: (client: RedisClient) => Promise<T>, refused: ToError): Promise<T> {
    const most = hurry?.aborted ? lastPatience : patience;
    const redis = await import('redis').catch((cause: unknown) => {
      throw failures.packageMissing(cause);
    });
    try {
      return await within(connection.ready(redis).then(act), most, connection.drop);
    } catch (error) {
      const answered = error instanceof redis.ErrorReply;
      const isStarting = answered && /^(LOADING|MASTERDOWN)\b/.test(error.message);
      const toError = answered && !isStarting ? refused : failures.unreachable;
      throw toError(withoutPassword(error, url));
    }
  }

  async function takeLease(own: string): Promise<void> {
    const options = { condition: 'NX', expiration: { type: 'PX', value: expiry } } as const;
    const take = (client: RedisClient) => client.set(leaseKey, own, options);
    while (!(await use(take, unwritable))) {
      const other = await use((client) => client.get(leaseKey), unwritable);
      if (other !== null) throw busy(other.toString());
    }
  }

  return {
    name,
    async read() {
      const bytes = await use((client) => client.get(key), unreadable);
      return bytes === null ? undefined : { bytes, tag: tagOf(bytes) };
    },
    /** Throws `busy` if another process has the lease. After the signal, it waits for little more. */
    async lock(signal?: AbortSignal) {
      const own = newOwner();
      hurry = signal;
      await takeLease(own);
      async function run(script: string, ...values: string[]): Promise<string> {
        const given = { keys: [leaseKey, key], arguments: [own, ...values] };
        return use(async (client) => String(await client.eval(script, given)), unwritable);
      }
      const renew = async () => {
        const owner = await run(renewScript, String(expiry));
        if (owner !== own) throw lost(owner || undefined);
      };
      const stop = startHeartbeat(renew, beatOf(expiry));
      return {
        renew,
        /** `tag` is of the value that it replaces. An empty text removes the value. Returns its tag. */
        async write(text: string, tag = '') {
          const answer = await run(writeScript, String(expiry), tag, text);
          if (answer === 'changed') throw changed();
          if (answer !== 'written') throw lost(answer || undefined);
          return tagOf(text);
        },
        /** Never fails. A remaining lease expires. */
        async release() {
          await stop();
          await run(releaseScript).catch(() => {});
        },
      };
    },
  };
}

function tagOf(content: Uint8Array | string): string {
  return createHash('sha1').update(content).digest('hex');
}

type Redis = typeof import('redis');
type RedisClient = ReturnType<typeof createClient>;

/** A connection, opened when needed. Only a command under way keeps the process alive. */
function redisConnection(to: { url: string; patience: number }) {
  let client: RedisClient | undefined;
  let opening: Promise<RedisClient> | undefined;

  async function open(redis: Redis): Promise<RedisClient> {
    const own = createClient(redis, to);
    client = own;
    own.unref();
    // Without a listener, an error would end the process. Commands in progress fail on their own.
    own.on('error', () => {});
    await own.connect();
    return own;
  }

  async function ready(redis: Redis): Promise<RedisClient> {
    if (client?.isReady) return client;
    opening ??= open(redis).finally(() => {
      opening = undefined;
    });
    return opening;
  }

  function drop(): void {
    if (client?.isOpen) client.destroy();
    client = undefined;
  }

  return { ready, drop };
}

function createClient({ createClient, RESP_TYPES }: Redis, to: { url: string; patience: number }) {
  return createClient({
    url: to.url,
    // All servers and proxies support the older protocol.
    RESP: 2,
    disableOfflineQueue: true,
    socket: { connectTimeout: to.patience, reconnectStrategy: false },
  }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}

/** What each command may take after the signal, in ms. A run's end needs three. */
const lastPatience = 500;

async function within<T>(promise: Promise<T>, patience: number, onLate: () => unknown): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate();
    late.reject(new Error(`Redis didn't answer within ${patience} ms.`));
  }, patience);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Hides the password: a server that doesn't know the command quotes its arguments. */
function withoutPassword(error: unknown, url: string): unknown {
  const { password } = new URL(url);
  const secrets = [password, decode(password)].filter((secret) => secret !== '');
  const text = error instanceof Error ? error.message : String(error);
  if (!secrets.some((secret) => text.includes(secret))) return error;
  return new Error(secrets.reduce((said, secret) => said.replaceAll(secret, '…'), text));
}

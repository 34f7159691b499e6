import { isMediaAssetError } from '../errors/errors.ts';

type Redis = typeof import('redis');
type RedisClient = ReturnType<typeof createClient>;
type ToError = (cause: unknown) => Error;

/** A connection that is there while somebody uses or holds it, so that no process waits for it. */
export interface RedisConnection {
  /**
   * Connects where needed. A connection that has broken is made anew for the next use.
   *
   * @param refused the error for an answer of Redis that says no
   * @throws `unreachable`, `packageMissing`, `refused`
   */
  use<T>(act: (client: RedisClient) => Promise<T>, refused: ToError): Promise<T>;
  /** Keeps the connection until the function that it gives is called. Neither fails. */
  hold(): () => Promise<void>;
}

export function redisConnection({
  url,
  patience,
  unreachable,
  packageMissing,
}: {
  /** May hold a password, which stands in no error. */
  url: string;
  /** How long connecting and a command may take together, in ms. */
  patience: number;
  /** The error where Redis is not there, or does not answer in time. */
  unreachable: ToError;
  packageMissing: ToError;
}): RedisConnection {
  let module: Redis | undefined;
  let client: RedisClient | undefined;
  let opening: Promise<RedisClient> | undefined;
  let users = 0;

  async function open(): Promise<RedisClient> {
    module = await loadRedis(packageMissing);
    client = createClient(module, { url, patience });
    // Without a listener it would end the process. The command that is under way fails of itself.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async function ready(): Promise<RedisClient> {
    if (client?.isReady) return client;
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  function drop(): void {
    if (client?.isOpen) client.destroy();
    client = undefined;
  }

  async function leave(): Promise<void> {
    users -= 1;
    if (users > 0 || !client?.isOpen) return;
    const left = client;
    client = undefined;
    await within(left.close(), patience, () => left.isOpen && left.destroy()).catch(() => {});
  }

  return {
    async use(act, refused) {
      users += 1;
      try {
        return await within(ready().then(act), patience, drop);
      } catch (error) {
        if (isMediaAssetError(error)) throw error;
        const answered = module !== undefined && error instanceof module.ErrorReply;
        const toError = answered && !isStarting(error) ? refused : unreachable;
        throw toError(withoutPassword(error, url));
      } finally {
        await leave();
      }
    },
    hold() {
      users += 1;
      return leave;
    },
  };
}

/**
 * A key of a Redis as messages name it: without user name and password. Also without the port, which
 * is the start of a password if the address lacks its host.
 */
export function redisName(url: string, key: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname} ${key}`;
}

function createClient({ createClient, RESP_TYPES }: Redis, to: { url: string; patience: number }) {
  return createClient({
    url: to.url,
    // The older protocol is understood by every server and proxy.
    RESP: 2,
    disableOfflineQueue: true,
    socket: { connectTimeout: to.patience, reconnectStrategy: false },
  }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}

async function loadRedis(packageMissing: ToError): Promise<Redis> {
  try {
    return await import('redis');
  } catch (cause) {
    throw packageMissing(cause);
  }
}

async function within<T>(promise: Promise<T>, ms: number, onLate: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new Error(`Redis did not answer within ${ms} ms.`));
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An answer of a Redis that has not loaded what it keeps yet. */
function isStarting({ message }: Error): boolean {
  return /^(LOADING|MASTERDOWN)\b/.test(message);
}

/** A server that does not know a command answers with its arguments, of which one is the password. */
function withoutPassword(error: unknown, url: string): unknown {
  const { password } = new URL(url);
  const secrets = [password, decodeURIComponent(password)].filter((secret) => secret !== '');
  const text = error instanceof Error ? error.message : String(error);
  if (!secrets.some((secret) => text.includes(secret))) return error;
  return new Error(secrets.reduce((said, secret) => said.replaceAll(secret, '…'), text));
}

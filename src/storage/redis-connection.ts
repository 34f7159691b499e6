import { isMediaAssetError } from '../errors/errors.ts';

type Redis = typeof import('redis');
type RedisClient = ReturnType<typeof createClient>;
type ToError = (cause: unknown) => Error;

/** A connection that closes when no one uses or holds it, so that it keeps no process alive. */
export function redisConnection({
  url,
  patience,
  unreachable,
  packageMissing,
}: {
  /** May hold a password, which appears in no error. */
  url: string;
  /** Time limit for connecting and a command together, in ms. */
  patience: number;
  /** Creates the error if Redis can't be reached or doesn't answer in time. */
  unreachable: ToError;
  packageMissing: ToError;
}) {
  let module: Redis | undefined;
  let client: RedisClient | undefined;
  let opening: Promise<RedisClient> | undefined;
  let users = 0;

  async function open(): Promise<RedisClient> {
    module = await loadRedis(packageMissing);
    client = createClient(module, { url, patience });
    // Without a listener, an error would end the process. Commands in progress fail on their own.
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
    /** Connects if needed. `refused` creates the error if Redis answers with one. */
    async use<T>(act: (client: RedisClient) => Promise<T>, refused: ToError): Promise<T> {
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
    /** Keeps the connection open until the returned function is called. Neither fails. */
    hold() {
      users += 1;
      return leave;
    },
  };
}

/**
 * Names a key in messages, without user name, password and port. If the URL lacks its host, its
 * port is the start of the password.
 */
export function redisName(url: string, key: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname} ${key}`;
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
      reject(new Error(`Redis didn't answer within ${ms} ms.`));
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isStarting({ message }: Error): boolean {
  return /^(LOADING|MASTERDOWN)\b/.test(message);
}

/** Hides the password: a server that doesn't know the command quotes its arguments. */
function withoutPassword(error: unknown, url: string): unknown {
  const { password } = new URL(url);
  const secrets = [password, decodeURIComponent(password)].filter((secret) => secret !== '');
  const text = error instanceof Error ? error.message : String(error);
  if (!secrets.some((secret) => text.includes(secret))) return error;
  return new Error(secrets.reduce((said, secret) => said.replaceAll(secret, '…'), text));
}

/** Shares a value that is opened for its first user and closed after its last. */
export type RefCountedPool<T> = <R>(
  key: string,
  work: {
    /** Passes the value to `whileOpen`, and closes it afterwards. */
    open: (whileOpen: (value: T) => Promise<void>) => Promise<void>;
    use: (value: T) => Promise<R>;
  },
) => Promise<R>;

export function createRefCountedPool<T>(): RefCountedPool<T> {
  const held = new Map<string, { value: Promise<T>; users: number; end: () => void }>();

  return async (key, { open, use }) => {
    const one = held.get(key) ?? hold(open);
    held.set(key, one);
    one.users += 1;
    try {
      return await use(await one.value);
    } finally {
      one.users -= 1;
      if (one.users === 0) {
        held.delete(key);
        one.end();
      }
    }
  };
}

function hold<T>(open: (whileOpen: (value: T) => Promise<void>) => Promise<void>) {
  const value = Promise.withResolvers<T>();
  const { promise: unused, resolve: end } = Promise.withResolvers<void>();
  open((opened) => {
    value.resolve(opened);
    return unused;
  }).catch(value.reject);
  return { value: value.promise, users: 0, end };
}

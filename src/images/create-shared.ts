/** Lets work use a value that is made when its first user comes, and let go of with its last. */
export type Share<T> = <R>(
  key: string,
  work: { make: () => Promise<T>; use: (value: T) => Promise<R> },
) => Promise<R>;

export function createShared<T>({
  whileHeld = (work) => work(),
  letGo,
}: {
  /** Runs work when there is room for one more value, which is held until it ends. */
  whileHeld?: (work: () => Promise<void>) => Promise<void>;
  /** Told of a value that nobody uses any more. */
  letGo: (value: T) => void;
}): Share<T> {
  const held = new Map<string, { value: Promise<T>; users: number; end: () => void }>();

  function hold(make: () => Promise<T>) {
    const value = Promise.withResolvers<T>();
    const { promise: unused, resolve: end } = Promise.withResolvers<void>();
    void whileHeld(async () => {
      await make().then(value.resolve, value.reject);
      await unused;
      await value.promise.then(letGo, () => undefined);
    });
    return { value: value.promise, users: 0, end };
  }

  return async (key, { make, use }) => {
    const one = held.get(key) ?? hold(make);
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

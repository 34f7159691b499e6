/** Lets work use a value that is made when its first user comes, and let go of with its last. */
export type Share<T> = <R>(
  key: string,
  work: { make: () => Promise<T>; use: (value: T) => Promise<R> },
) => Promise<R>;

/** @param whileHeld runs work when there is room for one more value, and has it held until it ends */
export function createShared<T>(
  whileHeld: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Share<T> {
  const held = new Map<string, { value: Promise<T>; users: number; letGo: () => void }>();

  function hold(make: () => Promise<T>) {
    const value = Promise.withResolvers<T>();
    const { promise: unused, resolve: letGo } = Promise.withResolvers<void>();
    void whileHeld(async () => {
      await make().then(value.resolve, value.reject);
      await unused;
    });
    return { value: value.promise, users: 0, letGo };
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
        one.letGo();
      }
    }
  };
}

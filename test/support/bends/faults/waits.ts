export type Waits = ReturnType<typeof createWaits>;

export function createWaits() {
  const pauses = new Set<() => void>();
  const late = new Set<() => void>();
  let closed = false;

  const wait = (waiting: Set<() => void>, milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      const finish = (whole: boolean): void => {
        clearTimeout(timer);
        waiting.delete(cut);
        resolve(whole);
      };
      const cut = (): void => finish(false);
      const timer = setTimeout(() => finish(true), closed ? 0 : milliseconds);
      waiting.add(cut);
      if (closed) cut();
    });
  const cutAll = (waiting: Set<() => void>): void => {
    for (const cut of [...waiting]) cut();
  };

  return {
    /** Resolves after a time, or when the emulator closes. */
    async pause(milliseconds: number) {
      await wait(pauses, milliseconds);
    },
    /** Resolves with `true` after a time, or with `false` once late requests are dropped. */
    late: (milliseconds: number) => wait(late, milliseconds),
    dropLate: () => cutAll(late),
    /** Ends all pauses, current and future, and drops late requests. */
    close() {
      closed = true;
      cutAll(pauses);
      cutAll(late);
    },
    closed: () => closed,
  };
}

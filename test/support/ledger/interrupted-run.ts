import { setImmediate } from 'node:timers/promises';
import type { MediaService } from '../../../src/service/types.ts';
import type { Lease, StateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { tokenClient } from '../service/token-client.ts';

/**
 * Interrupts a run at a point, counted from 0: before and after each use of its store and each
 * request. `end`: its signal fires. `kill`: nothing it does has an effect any more, and its
 * lease stays. `pause`: it stops before its next use of the store, or before it receives an answer,
 * until it resumes.
 */
export interface Interruption {
  readonly kind: 'end' | 'kill' | 'pause';
  readonly at: number;
}

export type InterruptedRun = ReturnType<typeof interruptRun>;

/** A run's own service, store and signal, and its state. */
export function interruptRun({
  interruption,
  store,
  published,
  baseUrl,
  accessToken,
  attempts,
  onSend = () => {},
}: {
  interruption: Interruption | undefined;
  store: StateStore;
  /** The store of the publication history. */
  published: StateStore;
  baseUrl: string;
  accessToken: string;
  attempts: number;
  /** Called for each request as it is sent. */
  onSend?: (() => void) | undefined;
}) {
  const ended = new AbortController();
  const { signal }: { signal: AbortSignal } = ended;
  const woken = Promise.withResolvers<void>();
  const underWay: Promise<unknown>[] = [];
  const state = { sent: 0, isKilled: false, hasLease: false };
  const held: Lease[] = [];
  let points = 0;
  let busy = 0;
  let paused = 0;
  let isAwake = interruption?.kind !== 'pause';

  function point(): void {
    const isHere = interruption !== undefined && points >= interruption.at;
    points += 1;
    if (isHere && interruption.kind === 'end') ended.abort();
    if (isHere && interruption.kind === 'kill') state.isKilled = true;
    if (state.isKilled) throw new Error('The run was killed.');
  }

  async function between<T>(act: () => Promise<T>): Promise<T> {
    point();
    try {
      return await act();
    } finally {
      point();
    }
  }

  async function whileBusy<T>(act: () => Promise<T>): Promise<T> {
    busy += 1;
    try {
      return await act();
    } finally {
      busy -= 1;
    }
  }

  async function waitWhilePaused(): Promise<void> {
    if (isAwake || points < (interruption?.at ?? 0)) return;
    paused += 1;
    await woken.promise;
    paused -= 1;
  }

  async function use<T>(act: () => Promise<T>): Promise<T> {
    await waitWhilePaused();
    return whileBusy(() => between(act));
  }

  /** Between two attempts, a call only waits for its store. */
  async function whileIdle(act: () => Promise<void>): Promise<void> {
    busy -= 1;
    try {
      await act();
    } finally {
      busy += 1;
    }
  }

  const service = tokenClient(baseUrl, accessToken, {
    attempts,
    sleep: async () => {},
    fetch: (...parameters) =>
      between(() => {
        onSend();
        state.sent += 1;
        const answer = fetch(...parameters);
        underWay.push(answer);
        return answer;
      }),
  });
  const usages: MediaService['usages'] = {
    async report(usage, { beforeAttempt = async () => {}, ...request } = {}) {
      const own = { ...request, beforeAttempt: () => whileIdle(beforeAttempt) };
      try {
        await whileBusy(() => service.usages.report(usage, own));
      } finally {
        await waitWhilePaused();
      }
    },
    list: (id, request) => whileBusy(() => service.usages.list(id, request)),
  };
  const ownStore = (store: StateStore): StateStore => ({
    ...store,
    read: () => use(() => store.read()),
    async lock(signal) {
      const lease = await use(async () => {
        const taken = await store.lock(signal);
        held.push(taken);
        return taken;
      });
      state.hasLease = true;
      return {
        renew: () => use(() => lease.renew()),
        write: (chunks, tag) => use(() => lease.write(chunks, tag)),
        async release() {
          if (state.isKilled) return;
          await lease.release();
          state.hasLease = false;
        },
      };
    },
  });
  return {
    service: { ...service, usages },
    store: ownStore(store),
    published: ownStore(published),
    signal,
    /** The number of requests. */
    get sent() {
      return state.sent;
    },
    get isKilled() {
      return state.isKilled;
    },
    get hasLease() {
      return state.hasLease;
    },
    /** Waits until it is paused with nothing in progress. Returns `false` if it has ended before. */
    async waitForPause(end: Promise<unknown>): Promise<boolean> {
      let ended = false;
      const note = () => {
        ended = true;
      };
      end.then(note, note);
      for (;;) {
        await setImmediate();
        if (ended) return false;
        if (paused > 0 && busy === 0) return true;
      }
    },
    resume() {
      isAwake = true;
      woken.resolve();
    },
    /** Ends the timers and connections that would have died with a killed run. */
    async dispose() {
      if (state.isKilled) for (const lease of held) await lease.release();
    },
    /** Waits for work in progress. A run that ended with an error doesn't wait for it. */
    async settled() {
      while (busy > 0) await setImmediate();
      await Promise.allSettled(underWay);
    },
  };
}
